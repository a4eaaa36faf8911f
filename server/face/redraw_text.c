/* What is written: styles, status lines, messages, prompts, panels. */
#include <string.h>

#include "base/mem.h"
#include "conf/format_draw.h"
#include "conf/format_text.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/panel.h"
#include "server/face/prompt.h"
#include "server/face/redraw_int.h"
#include "server/face/viewer.h"
#include "server/io/scope.h"

/* --- styles and lines of text -------------------------------------------------- */

/* The theme's named colours (theme... of styles) as they are for a client. */
colour
redraw_text_colour(const struct viewer *vw, colour c)
{
	static const enum option_id rows[2][STYLE_THEME_COUNT] = {
		{ OPTION_DARK_THEME_BLACK, OPTION_DARK_THEME_WHITE,
		    OPTION_DARK_THEME_LIGHT_GREY, OPTION_DARK_THEME_DARK_GREY,
		    OPTION_DARK_THEME_GREEN, OPTION_DARK_THEME_YELLOW,
		    OPTION_DARK_THEME_RED, OPTION_DARK_THEME_BLUE,
		    OPTION_DARK_THEME_CYAN, OPTION_DARK_THEME_MAGENTA },
		{ OPTION_LIGHT_THEME_BLACK, OPTION_LIGHT_THEME_WHITE,
		    OPTION_LIGHT_THEME_LIGHT_GREY, OPTION_LIGHT_THEME_DARK_GREY,
		    OPTION_LIGHT_THEME_GREEN, OPTION_LIGHT_THEME_YELLOW,
		    OPTION_LIGHT_THEME_RED, OPTION_LIGHT_THEME_BLUE,
		    OPTION_LIGHT_THEME_CYAN, OPTION_LIGHT_THEME_MAGENTA },
	};
	const struct options *o = &vw->run->mux->server_options;
	unsigned n = c & 0xffffff;

	if (colour_kind(c) != COLOUR_KIND_THEME)
		return c;
	if (n >= STYLE_THEME_COUNT)
		return COLOUR_DEFAULT;
	return options_colour(o, rows[redraw_light(vw)][n]);
}

bool
redraw_light(const struct viewer *vw)
{
	int64_t theme =
	    options_number(&vw->run->mux->server_options, OPTION_THEME);

	if (theme == THEME_LIGHT || theme == THEME_DARK)
		return theme == THEME_LIGHT;
	return vw->client->theme == CLIENT_THEME_LIGHT;
}

/* The pen of a style text over BASE, expanded for a pane (or NULL). */
struct pen
redraw_text_pen(struct viewer *vw, struct pane *p, const char *style,
    const struct pen *base)
{
	struct style sy;
	struct pen pen = *base;
	char *text;

	text = p == NULL ? scope_expand_client_new(
			       vw->all->scope, vw->client, style, 0)
			 : scope_expand_pane_new(
			       vw->all->scope, vw->client, p, style, 0);
	style_init(&sy);
	if (style_parse(&sy, base, text, strlen(text)) == 0)
		style_apply(&sy, &pen);
	pen.fg = redraw_text_colour(vw, pen.fg);
	pen.bg = redraw_text_colour(vw, pen.bg);
	mem_free(text);
	return pen;
}

/* The pen of a style option, expanded for the client. */
struct pen
redraw_text_style(struct viewer *vw, const struct options *o, enum option_id id,
    const struct pen *base)
{
	return redraw_text_pen(vw, NULL, options_string(o, id), base);
}

struct pen
redraw_mode_pen(struct viewer *vw)
{
	static const struct pen plain;
	const struct winlink *wl = client_link(vw->client);

	if (wl == NULL)
		return plain;
	return redraw_text_style(
	    vw, &wl->window->options, OPTION_MODE_STYLE, &plain);
}

struct pen
redraw_message_pen(struct viewer *vw)
{
	static const struct pen plain;

	return redraw_text_style(
	    vw, &vw->client->session->options, OPTION_MESSAGE_STYLE, &plain);
}

/* Draws an expanded format into row Y; its ranges are left in *DRAWN. */
void
redraw_text_draw(struct viewer *vw, struct vt_frame *f, unsigned y,
    const char *text, const struct pen *base, struct format_drawn *drawn)
{
	const struct format_run *run;
	struct pen pen;
	size_t i;

	format_draw(
	    drawn, vw->run->graphemes, base, text, strlen(text), f->cols);
	for (i = 0; i < drawn->run_count; i++) {
		run = &drawn->runs[i];
		pen = run->pen;
		pen.fg = redraw_text_colour(vw, pen.fg);
		pen.bg = redraw_text_colour(vw, pen.bg);
		vt_frame_text(f, vw->run->graphemes, (unsigned)run->x, y,
		    (unsigned)(run->x + run->width), run->text, run->len, &pen);
	}
}

static void
status_forget_ranges(struct viewer *vw)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(vw->ranges); i++)
		format_drawn_fini(&vw->ranges[i]);
	memset(vw->ranges, 0, sizeof(vw->ranges));
}

void
redraw_text_status(struct viewer *vw, unsigned rows)
{
	static const struct pen plain;
	struct session *s = vw->client->session;
	const struct option_entry *e;
	const struct option_value *item;
	int64_t interval;
	struct pen base;
	colour old;
	unsigned y;
	char *text;

	vt_frame_unref(vw->status);
	status_forget_ranges(vw);
	vw->status = vt_frame_new((unsigned)vw->client->w, rows);
	vw->status->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	base = redraw_text_style(vw, &s->options, OPTION_STATUS_STYLE, &plain);
	/* Older than status-style, and still over it. */
	old = options_colour(&s->options, OPTION_STATUS_FG);
	if (old != COLOUR_DEFAULT && old != COLOUR_NONE)
		base.fg = redraw_text_colour(vw, old);
	old = options_colour(&s->options, OPTION_STATUS_BG);
	if (old != COLOUR_DEFAULT && old != COLOUR_NONE)
		base.bg = redraw_text_colour(vw, old);
	e = options_get(&s->options, OPTION_STATUS_FORMAT);
	for (y = 0; y < rows; y++) {
		item = option_entry_item(e, y);
		text = scope_expand_client_new(vw->all->scope, vw->client,
		    item == NULL ? "" : item->string, FORMAT_STRFTIME);
		redraw_text_draw(
		    vw, vw->status, y, text, &base, &vw->ranges[y]);
		mem_free(text);
	}
	/* Its bytes are made once, not with every change of a pane. */
	vt_frame_share(vw->status);
	vw->status_dirty = false;
	interval = options_number(&s->options, OPTION_STATUS_INTERVAL);
	vw->status_at = interval <= 0 ? MONO_NEVER
				      : mono_add(loop_now(vw->run->loop),
					    (mono_ms)interval * 1000);
}

/* --- message and prompt -------------------------------------------------------------- */

/* message-format around TEXT, which is a prompt's or a message. */
static char *
line_text_new(struct viewer *vw, const char *text)
{
	const struct format_var vars[] = {
		{ "message", text },
		{ "command_prompt",
		    vw->prompt != NULL && prompt_commanding(vw->prompt) ? "1"
									: "0" },
	};
	const struct scope_where w = {
		.client = vw->client,
		.vars = vars,
		.var_count = ARRAY_LEN(vars),
	};

	return scope_new(vw->all->scope, &w,
	    options_string(
		&vw->client->session->options, OPTION_MESSAGE_FORMAT),
	    FORMAT_STRFTIME);
}

/* The pen that a line ends with: what is typed behind it has it too. */
static struct pen
line_pen(struct viewer *vw, const struct format_drawn *drawn)
{
	struct pen pen;

	if (drawn->run_count == 0)
		return redraw_message_pen(vw);
	pen = drawn->runs[drawn->run_count - 1].pen;
	pen.fg = redraw_text_colour(vw, pen.fg);
	pen.bg = redraw_text_colour(vw, pen.bg);
	return pen;
}

static void
add_prompt(struct viewer *vw, struct sync_view *v, struct vt_frame *f)
{
	char *message = prompt_message_new(vw->prompt, vw);
	char *text = line_text_new(vw, message);
	struct format_drawn drawn;
	struct pen pen = { 0 };
	unsigned x;

	redraw_text_draw(vw, f, 0, text, &pen, &drawn);
	/* Blanks behind the message are the text's. */
	x = (unsigned)MIN_OF(
	    format_text_width(vw->run->graphemes, text, strlen(text)),
	    (size_t)f->cols);
	pen = line_pen(vw, &drawn);
	prompt_draw(vw->prompt, vw, f, x, &pen);
	prompt_say(vw->prompt, vw, SURFACE_LINE, x, v);
	format_drawn_fini(&drawn);
	mem_free(text);
	mem_free(message);
}

void
redraw_text_line(struct viewer *vw, struct sync_view *v, unsigned status)
{
	static const struct pen plain;
	struct session *s = vw->client->session;
	const struct panel *panel = NULL;
	struct format_drawn drawn;
	struct vt_frame *f;
	unsigned row;
	char *text;
	int y;

	if (vw->prompt == NULL && vw->message.text == NULL)
		return;
	row = (unsigned)options_number(&s->options, OPTION_MESSAGE_LINE);
	row = MIN_OF(row, MAX_OF(status, 1u) - 1);
	y = vw->status_top ? (int)row
			   : vw->client->h - (int)MAX_OF(status, 1u) + (int)row;
	f = vt_frame_new((unsigned)vw->client->w, 1);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (vw->prompt != NULL) {
		add_prompt(vw, v, f);
		v->focus = SURFACE_LINE;
		panel = prompt_panel(vw->prompt);
	} else {
		text = line_text_new(vw, vw->message.text);
		redraw_text_draw(vw, f, 0, text, &plain, &drawn);
		format_drawn_fini(&drawn);
		mem_free(text);
	}
	if (panel != NULL)
		panel_draw(panel, vw, v, SURFACE_PANEL,
		    vw->status_top ? vw->client->h : y);
	sync_view_add(v, SURFACE_LINE, SYNC_SURFACE_OVERLAY, 0, y, f);
	vt_frame_unref(f);
}

/* --- the keys that can follow --------------------------------------------------- */

/* What a small screen has room for comes first, what cannot be done yet last. */
enum key_rank {
	RANK_SMALL,
	RANK_CAPITAL,
	RANK_OTHER,
	RANK_DIGIT,
	RANK_MODIFIED,
	RANK_LATER,
	RANK_COUNT
};

/* Whether what a key runs is not built yet, in whole or in part. */
static bool
is_later(const struct cmdlist *list)
{
	const struct args *a;
	size_t i, k;

	for (i = 0; i < list->count; i++) {
		if (list->cmds[i]->row->when == COMMAND_LATER)
			return true;
		a = list->cmds[i]->args;
		for (k = 0; k < a->count; k++)
			if (a->values[k].block != NULL &&
			    is_later(a->values[k].block))
				return true;
	}
	return false;
}

static unsigned
key_rank(const struct keybinding *kb)
{
	key_code k = kb->key & KEY_MASK;

	if (is_later(kb->commands))
		return RANK_LATER;
	if ((kb->key & KEY_MODS) != 0)
		return RANK_MODIFIED;
	if (k >= '0' && k <= '9')
		return RANK_DIGIT;
	if (k >= 'a' && k <= 'z')
		return RANK_SMALL;
	return k >= 'A' && k <= 'Z' ? RANK_CAPITAL : RANK_OTHER;
}

static void
panel_add_key(struct panel *panel, const struct keybinding *kb)
{
	char name[KEY_NAME_MAX];
	struct buf text;

	buf_init(&text, 1 << 20);
	if (kb->note != NULL && *kb->note != '\0')
		(void)buf_add_str(&text, kb->note);
	else
		cmdlist_print(kb->commands, 0, &text);
	panel_add(panel, key_name_format(kb->key, name, sizeof(name)),
	    buf_cstr(&text));
	buf_fini(&text);
}

/* Whether it is the key that lists all keys. */
static bool
lists_keys(const struct keybinding *kb)
{
	const struct cmdlist *l = kb->commands;

	return kb->key == '?' && l->count > 0 &&
	       strcmp(l->cmds[0]->row->name, "list-keys") == 0;
}

/* The keys that can follow: those of the table in force. */
void
redraw_text_keys(struct viewer *vw, struct sync_view *v, unsigned status)
{
	const struct keytable *table =
	    keytables_find(vw->run->keys, client_table(vw->client));
	const struct keybinding *kb;
	struct panel *panel;
	size_t i;
	unsigned rank;

	if (!vw->panel_on || table == NULL)
		return;
	panel = panel_new();
	panel->rest = ": list-keys";
	for (rank = 0; rank < RANK_COUNT; rank++)
		for (i = 0; i < table->count; i++) {
			kb = &table->bindings[i];
			if ((kb->key & KEY_MASK) >= KEY_MOUSE0 ||
			    key_rank(kb) != rank)
				continue;
			panel_add_key(panel, kb);
			if (lists_keys(kb))
				panel->rest = ": ? lists them";
		}
	panel_draw(panel, vw, v, SURFACE_PANEL,
	    vw->client->h - (vw->status_top ? 0 : (int)status));
	panel_free(panel);
}
