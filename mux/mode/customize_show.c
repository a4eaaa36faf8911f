/* The text about an item of customize-mode. */
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/environ.h"
#include "conf/keytable.h"
#include "conf/style.h"
#include "mux/mode/customize_int.h"

/* Where the next line of a text goes. */
struct page {
	struct vt_frame *frame;
	const struct vt_rect *rect;
	const struct mode_paint *paint;
	unsigned y;
};

static void
put(struct page *pg, unsigned x, const char *p, size_t n, const struct pen *pen)
{
	(void)vt_frame_text(pg->frame, pg->paint->graphemes, pg->rect->left + x,
	    pg->y, pg->rect->right, p, n, pen);
}

/* One paragraph, broken into rows; grey behind its LABEL bytes of ASCII. */
static void
say_grey(struct page *pg, const char *text, size_t label)
{
	static const struct pen plain;
	const struct pen grey = { .fg = pg->paint->colour(pg->paint->arg,
				      (colour)COLOUR_KIND_THEME << 24 |
					  STYLE_THEME_LIGHTGREY) };
	const unsigned w = pg->rect->right - pg->rect->left;
	const char *p, *nl;
	struct buf b;
	size_t n;

	buf_init(&b, FORMAT_OUTPUT_MAX * 2);
	str_wrap(&b, text, 0, 0, w);
	for (p = buf_cstr(&b); pg->y < pg->rect->bottom; p = nl + 1) {
		nl = strchr(p, '\n');
		n = nl == NULL ? strlen(p) : (size_t)(nl - p);
		label = MIN_OF(label, n);
		put(pg, 0, p, label, &plain);
		put(pg, (unsigned)label, p + label, n - label, &grey);
		pg->y++;
		label = 0;
		if (nl == NULL)
			break;
	}
	buf_fini(&b);
}

static void
say(struct page *pg, const char *text)
{
	say_grey(pg, text, SIZE_MAX);
}

static void
say_with(
    struct page *pg, const char *label, const char *value, const char *unit)
{
	char *text = mem_printf(
	    "%s%s%s%s", label, value, *unit == '\0' ? "" : " ", unit);

	say_grey(pg, text, strlen(label));
	mem_free(text);
}

static void
say_text(struct page *pg, const char *text)
{
	char *all = mem_printf("%s.", text);

	say(pg, all);
	mem_free(all);
}

static void
say_scope(struct page *pg, const struct option_name *name, unsigned section)
{
	const bool hook =
	    section == SECTION_SESSION_HOOKS || section == SECTION_WINDOW_HOOKS;
	const char *what = hook ? "hook" : "option", *scope;
	char *text, key[16];

	if (name->row == NULL)
		scope = "user";
	else if (section == SECTION_SERVER)
		scope = "server";
	else if (section == SECTION_SESSION || section == SECTION_SESSION_HOOKS)
		scope = "session";
	else if ((name->row->scope & OPT_PANE) == 0)
		scope = "window";
	else
		scope = "window and pane";
	text = mem_printf("This is a %s %s.", scope, what);
	say(pg, text);
	mem_free(text);
	if (name->row == NULL || (name->row->flags & OPT_ARRAY) == 0)
		return;
	if (name->index == OPTION_NO_INDEX)
		text = mem_printf("This is an array %s.", what);
	else
		text = mem_printf("This is an array option, key %s.",
		    option_key_text(name->index, name->word, key, sizeof(key)));
	say(pg, text);
	mem_free(text);
}

/* What a value is as a format. */
static void
say_expanded(struct mode_list *l, struct page *pg,
    const struct option_name *name, const char *value)
{
	char *text;

	if (name->row != NULL && name->row->type != OPTION_STRING)
		return;
	text = mode_list_expand(l, NULL, NULL, 0, value);
	if (strcmp(text, value) != 0)
		say_with(pg, "This expands to: ", text, "");
	mem_free(text);
}

static void
say_choices(struct page *pg, const struct option_row *row)
{
	const char *s = row->choices;
	struct buf b;

	if (row->type != OPTION_CHOICE || s == NULL)
		return;
	buf_init(&b, 8192);
	for (; *s != '\0'; s++) {
		(void)buf_add_u8(&b, (uint8_t)*s);
		if (*s == ',')
			(void)buf_add_u8(&b, ' ');
	}
	say_with(pg, "Available values are: ", buf_cstr(&b), "");
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
		say(pg, "This option doesn't have a description.");
	else {
		unit = name.row->unit;
		say_text(pg, name.row->help);
	}
	say(pg, "");
	say_scope(pg, &name, section);
	say(pg, "");
	value = customize_value(l, it, place);
	if (value != NULL) {
		say_with(pg, "Option value: ", value, unit);
		say_expanded(l, pg, &name, value);
	}
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
say_environ(struct mode_list *l, const struct mode_item *it, struct page *pg)
{
	const unsigned section = it->part[PART_SECTION];
	const struct environ *env = customize_environ(l, section);
	const struct environ_var *ev =
	    env == NULL ? NULL : environ_find(env, customize_variable(it));

	say(pg, section == SECTION_GLOBAL_ENVIRON
		    ? "This is a global environment variable."
		    : "This is a session environment variable.");
	if (ev == NULL)
		return;
	if (ev->hidden)
		say(pg, "This variable is hidden.");
	say(pg, "");
	if (ev->value == NULL)
		say(pg, "Variable is removed.");
	else
		say_with(pg, "Variable value: ", ev->value, "");
}

static void
say_key(struct mode_list *l, const struct mode_item *it, struct page *pg)
{
	const struct keybinding *kb = customize_binding(l, it);
	const struct keytable *kt = customize_table(l, it);
	char *text;

	if (kb == NULL || kt == NULL)
		return;
	say_text(
	    pg, kb->note == NULL ? "There is no note for this key" : kb->note);
	say(pg, "");
	text = mem_printf("This key is in the %s table.", kt->name);
	say(pg, text);
	mem_free(text);
	say_with(pg, "Repeat: ", kb->repeat ? "on" : "off", "");
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

	switch (it->part[PART_KIND]) {
	case KIND_HEADING:
		break;
	case KIND_OPTION:
		say_option(l, it, &pg);
		break;
	case KIND_ENVIRON:
		say_environ(l, it, &pg);
		break;
	default:
		say_key(l, it, &pg);
		break;
	}
}
