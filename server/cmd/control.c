/* refresh-client for control clients: panes, subscriptions, sizes, reports. */
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/mem.h"
#include "base/str.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"

/*
 * Cuts "%3:REST"; returns whether the text is of this form. *P is NULL if there
 * is no such pane.
 */
static bool
pane_and_rest(
    struct cmd_context *c, const char *text, struct pane **p, const char **rest)
{
	const char *colon = strchr(text, ':');
	int64_t id;

	*p = NULL;
	if (colon == NULL || *text != '%' ||
	    str_to_intn(text + 1, (size_t)(colon - text - 1), 0, UINT32_MAX - 1,
		&id) != 0)
		return false;
	*p = mux_pane(c->sv->run.mux, (uint32_t)id);
	*rest = colon + 1;
	return true;
}

/* --- -A ----------------------------------------------------------------------- */

static const char *const state_names[] = {
	[CONTROL_PANE_ON] = "on",
	[CONTROL_PANE_OFF] = "off",
	[CONTROL_PANE_PAUSE] = "pause",
	[CONTROL_PANE_CONTINUE] = "continue",
};

static enum cmd_result
set_pane(struct cmd_context *c, struct controller *ct, const char *text)
{
	struct pane *p;
	const char *name;
	size_t i;

	if (!pane_and_rest(c, text, &p, &name))
		return cmd_error(c,
		    "bad pane state: %s: need %%N:on, off, pause or continue",
		    text);
	for (i = 0; i < ARRAY_LEN(state_names); i++)
		if (strcmp(name, state_names[i]) == 0)
			break;
	if (i == ARRAY_LEN(state_names))
		return cmd_error(c,
		    "bad pane state: %s: need %%N:on, off, pause or continue",
		    text);
	/* The pane may have closed meanwhile: no error, as in tmux. */
	if (p != NULL)
		controller_pane(ct, p->id, (enum control_pane_state)i);
	return CMD_NORMAL;
}

/* --- -C ----------------------------------------------------------------------- */

/* Reads "80x24" or "80,24". */
static bool
read_size(const char *text, int64_t *w, int64_t *h)
{
	const size_t n = strcspn(text, "x,");

	return text[n] != '\0' && str_to_intn(text, n, 0, INT32_MAX, w) == 0 &&
	       str_to_int(text + n + 1, 0, INT32_MAX, h) == 0;
}

static enum cmd_result
set_size(struct cmd_context *c, const char *text)
{
	struct client *cl = c->client;
	const char *size = text;
	int64_t id = -1, w, h;

	if (*text == '@') {
		if ((size = strchr(text, ':')) == NULL ||
		    str_to_intn(text + 1, (size_t)(size - text - 1), 0,
			UINT32_MAX - 1, &id) != 0)
			return cmd_error(c, "bad size argument");
		if (*++size == '\0') {
			(void)client_set_window_size(cl, (uint32_t)id, 0, 0);
			return CMD_NORMAL;
		}
	}
	if (!read_size(size, &w, &h))
		return cmd_error(c, "bad size argument");
	if (w < 1 || w > LAYOUT_SIZE_MAX || h < 1 || h > LAYOUT_SIZE_MAX)
		return cmd_error(c, "size too small or too big");
	if (id < 0)
		client_set_size(
		    cl, (int)w, (int)h, cl->outer.cell_w, cl->outer.cell_h);
	else if (client_set_window_size(cl, (uint32_t)id, (int)w, (int)h) != 0)
		return cmd_error(c, "sizes for too many windows");
	return CMD_NORMAL;
}

/* --- -r ----------------------------------------------------------------------- */

/* Whether the eye sees the colour as light (Rec. 709 weights). */
static bool
is_light(uint32_t rgb)
{
	return 2126 * (rgb >> 16 & 255) + 7152 * (rgb >> 8 & 255) +
		   722 * (rgb & 255) >
	       10000 * 127;
}

/* Takes "\033]10;rgb:..." (10, 11 or 12) for the default colours of a pane. */
static enum cmd_result
take_report(struct cmd_context *c, const char *text)
{
	struct vt_theme theme;
	struct pane *p;
	const char *r;
	uint32_t rgb;
	size_t n;

	/* A report of another kind, or of a pane that is gone, says nothing. */
	if (!pane_and_rest(c, text, &p, &r) || p == NULL ||
	    strncmp(r, "\033]1", 3) != 0 || r[3] < '0' || r[3] > '2' ||
	    r[4] != ';')
		return CMD_NORMAL;
	n = strcspn(r + 5, "\033\007");
	if (colour_parse_x11(r + 5, n, &rgb) != 0)
		return CMD_NORMAL;
	theme = vt_term_theme(p->term);
	if (r[3] == '0')
		theme.fg = rgb;
	else if (r[3] == '1') {
		theme.bg = rgb;
		theme.dark = !is_light(rgb);
	} else
		theme.cursor = rgb;
	vt_term_set_theme(p->term, &theme);
	return CMD_NORMAL;
}

/* --- all ------------------------------------------------------------------------ */

enum cmd_result
cmd_refresh_control(struct cmd_context *c, struct controller *ct)
{
	struct cause why = { NULL };
	const struct args_value *v;
	enum cmd_result r = CMD_NORMAL;
	size_t i, n;

	v = args_values(c->args, 'A', &n);
	for (i = 0; i < n && r == CMD_NORMAL; i++)
		r = set_pane(c, ct, v[i].text);
	v = args_values(c->args, 'B', &n);
	for (i = 0; i < n && r == CMD_NORMAL; i++)
		if (control_subs_set(&ct->subs, v[i].text, &why) != 0)
			r = cmd_cause(c, &why);
	if (r == CMD_NORMAL && args_has(c->args, 'C'))
		r = set_size(c, args_get(c->args, 'C'));
	if (r == CMD_NORMAL && args_has(c->args, 'r'))
		r = take_report(c, args_get(c->args, 'r'));
	return r;
}
