/* The text about an item of customize-mode. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/keytable.h"
#include "mux/mode/customize_int.h"

/* Where the next line of a text goes. */
struct page {
	struct vt_frame *frame;
	const struct vt_rect *rect;
	const struct mode_paint *paint;
	unsigned y;
};

/* One paragraph, broken into rows. */
static void
say(struct page *pg, const char *text)
{
	static const struct pen plain;
	const unsigned w = pg->rect->right - pg->rect->left;
	const char *p, *nl;
	struct buf b;

	buf_init(&b, FORMAT_OUTPUT_MAX * 2);
	str_wrap(&b, text, 0, 0, w);
	for (p = buf_cstr(&b); pg->y < pg->rect->bottom; p = nl + 1) {
		nl = strchr(p, '\n');
		(void)vt_frame_text(pg->frame, pg->paint->graphemes,
		    pg->rect->left, pg->y++, pg->rect->right, p,
		    nl == NULL ? strlen(p) : (size_t)(nl - p), &plain);
		if (nl == NULL)
			break;
	}
	buf_fini(&b);
}

static void
say_with(
    struct page *pg, const char *label, const char *value, const char *unit)
{
	char *text = mem_printf(
	    "%s%s%s%s", label, value, *unit == '\0' ? "" : " ", unit);

	say(pg, text);
	mem_free(text);
}

static const char *
scope_name(const struct option_name *name, unsigned section)
{
	const bool hook =
	    section == SECTION_SESSION_HOOKS || section == SECTION_WINDOW_HOOKS;

	switch (section) {
	case SECTION_SERVER:
		return "This is a server option.";
	case SECTION_SESSION:
	case SECTION_SESSION_HOOKS:
		return hook ? "This is a session hook."
			    : "This is a session option.";
	default:
		if (name->row != NULL && (name->row->scope & OPT_PANE) == 0)
			return hook ? "This is a window hook."
				    : "This is a window option.";
		return hook ? "This is a window and pane hook."
			    : "This is a window and pane option.";
	}
}

static void
say_choices(struct page *pg, const struct option_row *row)
{
	const char *s = row->choices;
	struct buf b;

	if (row->type != OPTION_CHOICE || s == NULL)
		return;
	buf_init(&b, 8192);
	(void)buf_add_str(&b, "Available values are: ");
	for (; *s != '\0'; s++) {
		(void)buf_add_u8(&b, (uint8_t)*s);
		if (*s == ',')
			(void)buf_add_u8(&b, ' ');
	}
	say(pg, buf_cstr(&b));
	buf_fini(&b);
}

static void
say_option(struct mode_list *l, const struct mode_item *it, struct page *pg)
{
	const unsigned section = it->part[PART_SECTION];
	struct option_name name;
	const char *unit = "";
	char *value, *global;
	enum customize_place place;

	if (!customize_option(l, it, &name))
		return;
	place = customize_place(l, it, &name);
	if (name.row == NULL)
		say(pg, "This is a user option.");
	else {
		unit = name.row->unit;
		say_with(pg, name.row->help, ".", "");
	}
	say(pg, "");
	say(pg, scope_name(&name, section));
	say(pg, "");
	value = customize_value(l, it, place);
	if (value != NULL)
		say_with(pg, "Option value: ", value, unit);
	if (name.row != NULL) {
		say_choices(pg, name.row);
		if (value != NULL && (name.row->flags & OPT_ARRAY) == 0 &&
		    name.row->text != NULL &&
		    strcmp(name.row->text, value) != 0)
			say_with(pg, "The default is: ", name.row->text, unit);
	}
	if (place != PLACE_GLOBAL &&
	    (global = customize_value(l, it, PLACE_GLOBAL)) != NULL) {
		say(pg, "");
		say_with(pg, "Global value: ", global, unit);
		mem_free(global);
	}
	mem_free(value);
}

static void
say_key(struct mode_list *l, const struct mode_item *it, struct page *pg)
{
	const struct keybinding *kb = customize_binding(l, it);
	const struct keytable *kt = customize_table(l, it);
	char *text;

	if (kb == NULL || kt == NULL)
		return;
	say_with(pg,
	    kb->note == NULL ? "There is no note for this key" : kb->note, ".",
	    "");
	say(pg, "");
	text = mem_printf("This key is in the %s table.", kt->name);
	say(pg, text);
	mem_free(text);
	say(pg, kb->repeat ? "Repeat: on" : "Repeat: off");
	say(pg, "");
	text = customize_command(kb);
	say_with(pg, "Command: ", text, "");
	mem_free(text);
}

void
customize_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r, const struct mode_paint *paint)
{
	struct page pg = { f, r, paint, r->top };
	char *value;

	switch (it->part[PART_KIND]) {
	case KIND_HEADING:
		break;
	case KIND_OPTION:
		say_option(l, it, &pg);
		break;
	case KIND_ENVIRON:
		value = customize_item_value(l, it);
		say_with(&pg, "Value: ", value == NULL ? "" : value, "");
		mem_free(value);
		break;
	default:
		say_key(l, it, &pg);
		break;
	}
}
