/* The questions of lists: their texts, and the same on the wire. */
#include "mux/mode/list_ask.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "conf/args.h"
#include "conf/key_name.h"
#include "mux/mode/list_int.h"
#include "mux/mode/wire_pen.h"

enum list_asks_item {
	LIST_ASKS_FLAGS = 0, /* 1: vi's keys */
	LIST_ASKS_SEPARATORS = 1,
	LIST_ASKS_X = 2, /* of the line on the client */
	LIST_ASKS_Y = 3,
	LIST_ASKS_PEN = 4,  /* four numbers: of the text */
	LIST_ASKS_LINE = 8, /* a frame of one row, without message and text */
	LIST_ASKS_FIRST = 9,
};

enum list_ask_item {
	LIST_ASK_FLAGS = 0, /* enum mode_list_ask_flag */
	LIST_ASK_INPUT = 1, /* first text */
	LIST_ASK_TEXTS = 2, /* [message, ...]; "": it does not ask */
	LIST_ASK_KEYS = 3,  /* [key, ...] */
	LIST_ASK_ITEMS = 4,
};

/* --- asking --------------------------------------------------------------------- */

const struct mode_list_ask mode_list_asks[] = {
	{ ASK_SEARCH, 0, { '/', '?', 's' | KEY_CTRL }, { "(search) " } },
	{ ASK_FILTER, 0, { 'f' }, { "(filter) " } },
	{ ASK_FUZZY, MODE_LIST_ASK_NARROWS, { 'F' }, { "(fuzzy) " } },
	{ ASK_COMMAND, MODE_LIST_ASK_TAGS, { ':' },
	    { "(current) ", "(% tagged) " } },
};

const size_t mode_list_ask_count = ARRAY_LEN(mode_list_asks);

bool
mode_list_asks_it(const struct mode_list *l, const struct mode_list_ask *a)
{
	/* A command has no target, or an answer is not asked for (-y). */
	return (a->what != ASK_COMMAND || l->ops->target != NULL) &&
	       !(l->yes && (a->flags & MODE_LIST_ASK_KEY) != 0);
}

const char *
mode_list_ask_input(const struct mode_list *l, const struct mode_list_ask *a)
{
	const char *text = a->what == ASK_FILTER  ? l->filter
			   : a->what == ASK_FUZZY ? l->fuzzy
						  : NULL;

	return text == NULL ? "" : text;
}

char *
mode_list_ask_text(
    const struct mode_list_ask *a, const struct mode_item *it, uint32_t tags)
{
	const char *text = a->texts[0], *at;

	if ((a->flags & MODE_LIST_ASK_TAGS) != 0)
		text = a->texts[tags > 0];
	else if ((a->flags & MODE_LIST_ASK_KIND) != 0)
		text = it == NULL || it->kind >= MODE_LIST_ASK_TEXTS
			   ? NULL
			   : a->texts[it->kind];
	if (text == NULL)
		return NULL;
	if ((at = strchr(text, '%')) == NULL)
		return mem_strdup(text);
	if ((a->flags & MODE_LIST_ASK_TAGS) != 0)
		return mem_printf(
		    "%.*s%u%s", (int)(at - text), text, tags, at + 1);
	return it == NULL ? NULL
			  : mem_printf("%.*s%s%s", (int)(at - text), text,
				it->name, at + 1);
}

bool
mode_list_ask_has(const struct mode_list_ask *a, key_code key)
{
	size_t i;

	for (i = 0; i < MODE_LIST_ASK_KEYS; i++)
		if (a->keys[i] != 0 && a->keys[i] == key)
			return true;
	return false;
}

bool
mode_list_yes(const char *text)
{
	return *text == 'y' || *text == 'Y' || *text == '\r';
}

bool
mode_list_confirmed(struct mode_list *l, unsigned what, const char *text)
{
	const bool asked = l->confirm == what;

	l->confirm = 0;
	return asked && mode_list_yes(text);
}

/* --- keys for what has gone ------------------------------------------------------ */

/* Whether KEY ends or deletes items. */
static bool
is_end(const struct mode_list *l, key_code key)
{
	if (key == KEY_ENTER || key == ('m' | KEY_CTRL))
		key = '\r';
	return l->ops->ends != NULL && key > 0 && key < 0x80 &&
	       strchr(l->ops->ends, (int)key) != NULL;
}

/* Says that the item has gone for which the user has pressed KEY. */
static void
refuse(struct mode_list *l, key_code key)
{
	char name[KEY_NAME_MAX];
	char *text = mem_printf("%s %s is gone: press %s again", l->ops->noun,
	    l->gone, key_name_format(key, name, sizeof(name)));
	const char *values[1] = { text };
	char *command =
	    args_template_words_new("display-message -l -- \"%1%\"", values, 1);

	mode_request_run(l->host->requests, command);
	mem_free(command);
	mem_free(text);
	mem_free(l->gone);
	l->gone = NULL;
	/* Others do not ask. */
	l->refused = l->ops->answer != NULL && !l->yes;
}

bool
mode_list_refuses(struct mode_list *l, key_code key)
{
	const bool refused = l->refused;

	l->refused = false;
	if (l->gone != NULL && is_end(l, key)) {
		refuse(l, key);
		return true;
	}
	return refused && (key == 'y' || key == 'Y' || key == KEY_ENTER ||
			      key == ('m' | KEY_CTRL));
}

/* --- writing ------------------------------------------------------------------- */

/*
 * Whether A goes: not while the list would refuse its key, as its item has gone.
 */
static bool
goes(const struct mode_list *l, const struct mode_list_ask *a,
    const struct list_line *line)
{
	return mode_list_asks_it(l, a) &&
	       (l->gone == NULL || line->open ||
		   (a->flags & MODE_LIST_ASK_KEY) == 0);
}

/* Question N of L: those of every list, then the chooser's; NULL: no more. */
static const struct mode_list_ask *
ask_at(const struct mode_list *l, size_t n)
{
	if (n < mode_list_ask_count)
		return &mode_list_asks[n];
	n -= mode_list_ask_count;
	return n < l->ops->ask_count ? &l->ops->asks[n] : NULL;
}

static void
put_ask(
    const struct mode_list *l, const struct mode_list_ask *a, struct buf *out)
{
	uint32_t n = 0, i;

	pack_put_array(out, LIST_ASK_ITEMS);
	pack_put_uint(out, a->flags);
	pack_put_cstr(out, mode_list_ask_input(l, a));
	pack_put_array(out, MODE_LIST_ASK_TEXTS);
	for (i = 0; i < MODE_LIST_ASK_TEXTS; i++)
		pack_put_cstr(out, a->texts[i] == NULL ? "" : a->texts[i]);
	while (n < MODE_LIST_ASK_KEYS && a->keys[n] != 0)
		n++;
	pack_put_array(out, n);
	for (i = 0; i < n; i++)
		pack_put_uint(out, a->keys[i]);
}

unsigned
list_asks_put(
    const struct mode_list *l, const struct list_line *line, struct buf *out)
{
	const struct mode_list_ask *a;
	unsigned n = 0, open = 0;
	size_t i;

	for (i = 0; (a = ask_at(l, i)) != NULL; i++)
		n += goes(l, a, line);
	pack_put_array(out, LIST_ASKS_FIRST + n);
	pack_put_uint(out, line->vi);
	pack_put_cstr(out, line->separators);
	pack_put_int(out, line->x);
	pack_put_int(out, line->y);
	wire_pen_put(out, &line->pen);
	pack_put_bin(out, line->frame, line->frame_len);
	for (i = n = 0; (a = ask_at(l, i)) != NULL; i++) {
		if (!goes(l, a, line))
			continue;
		put_ask(l, a, out);
		n++;
		if (line->open && a->what == line->what)
			open = n;
	}
	return open;
}

void
list_open_put(const struct list_open *open, struct buf *out)
{
	pack_put_uint(out, open->ask);
	pack_put_uint(out, open->at);
	pack_put_cstr(out, open->text);
	pack_put_cstr(out, open->message);
}

/* --- reading ------------------------------------------------------------------- */

void
list_ask_free(struct list_wire_ask *a)
{
	size_t i;

	mem_free(a->input);
	for (i = 0; i < MODE_LIST_ASK_TEXTS; i++)
		mem_free(a->texts[i]);
}

/* Reads question N, from 1. */
static void
get_ask(struct rd *r, struct list_wire_ask *a, unsigned n)
{
	const uint32_t items = pack_get_array(r, 64);
	uint32_t i, count;

	if (r->err == 0 && items < LIST_ASK_ITEMS)
		rd_fail(r, -ERR_PEER);
	a->ask.what = n;
	a->ask.flags = (unsigned)pack_get_uint(r, MODE_LIST_ASK_ALL);
	a->input = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	count = pack_get_array(r, MODE_LIST_ASK_TEXTS);
	for (i = 0; i < count && r->err == 0; i++) {
		a->texts[i] = wire_text_get(r, LIST_WIRE_TEXT_MAX);
		if (a->texts[i] != NULL && *a->texts[i] != '\0')
			a->ask.texts[i] = a->texts[i];
	}
	count = pack_get_array(r, MODE_LIST_ASK_KEYS);
	for (i = 0; i < count && r->err == 0; i++)
		a->ask.keys[i] = pack_get_uint(r, UINT64_MAX);
	for (i = LIST_ASK_ITEMS; i < items; i++)
		pack_skip(r);
}

static int
get_place(struct rd *r)
{
	const int64_t n = pack_get_int(r);

	if (n < 0 || n > VT_COLS_MAX)
		rd_fail(r, -ERR_PEER);
	return r->err != 0 ? 0 : (int)n;
}

void
list_asks_get(struct rd *r, struct list_wire *w)
{
	const uint32_t items =
	    pack_get_array(r, LIST_ASKS_FIRST + LIST_WIRE_ASKS_MAX);
	const uint8_t *p;
	size_t len = 0;

	if (r->err == 0 && items < LIST_ASKS_FIRST)
		rd_fail(r, -ERR_PEER);
	w->line.vi = pack_get_uint(r, 1) != 0;
	w->separators = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	w->line.separators = w->separators;
	w->line.x = get_place(r);
	w->line.y = get_place(r);
	w->line.pen = wire_pen_get(r);
	p = pack_get_bin(r, LIST_WIRE_LINE_MAX, &len);
	if (r->err == 0 && len == 0)
		rd_fail(r, -ERR_PEER);
	if (r->err != 0)
		return;
	w->frame = mem_dup(p, len);
	w->line.frame = w->frame;
	w->line.frame_len = len;
	while (w->ask_count < items - LIST_ASKS_FIRST && r->err == 0) {
		get_ask(r, &w->asks[w->ask_count], w->ask_count + 1);
		w->ask_count++;
	}
}

void
list_open_get(struct rd *r, struct list_wire *w)
{
	w->open = (unsigned)pack_get_uint(r, w->ask_count);
	w->line.at = (size_t)pack_get_uint(r, LIST_WIRE_TEXT_MAX);
	w->text = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	w->message = wire_text_get(r, LIST_WIRE_TEXT_MAX);
	if (r->err == 0 && (w->open == 0 || w->line.at > strlen(w->text)))
		rd_fail(r, -ERR_PEER);
	w->line.open = r->err == 0;
	w->line.text = w->text;
	w->line.message = w->message;
}
