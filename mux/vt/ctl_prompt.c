/*
 * OSC 133 - marks of the shell: where its prompt, the user's input and a
 * command's output begin.  The letters are those of Per Bothner's proposal;
 * parameters of A, N and P: k (kind of prompt), cl and click_events (clicks move
 * the cursor); of C: cmdline and cmdline_url (kitty); of D: the exit status.
 * aid and redraw have no effect: a command ends with the next D, and a prompt
 * stays as it is when the size changes.
 */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/url.h"
#include "mux/vt/screen.h"

#define PROMPT_COMMAND_MAX 4096 /* bytes of a command line */

struct mark_row {
	char letter;
	uint16_t flag; /* of the cursor's row */
	uint8_t state;
};

static const struct mark_row prompt_rows[] = {
	{ 'A', VT_LINE_PROMPT, VT_PROMPT_PROMPT },
	{ 'N', VT_LINE_PROMPT, VT_PROMPT_PROMPT },
	{ 'P', VT_LINE_PROMPT, VT_PROMPT_PROMPT },
	{ 'B', VT_LINE_INPUT, VT_PROMPT_INPUT },
	{ 'I', VT_LINE_INPUT, VT_PROMPT_INPUT },
	{ 'C', VT_LINE_OUTPUT, VT_PROMPT_OUTPUT },
	{ 'D', VT_LINE_DONE, VT_PROMPT_DONE },
};

/*
 * Returns the value of a parameter in "a=b;key=value" and its length; NULL: it
 * has none.
 */
static const char *
prompt_param(const char *s, size_t n, const char *key, size_t *len)
{
	const size_t k = strlen(key);
	const char *end = s + n, *semi;

	for (; s < end; s = semi + 1) {
		semi = memchr(s, ';', (size_t)(end - s));
		if (semi == NULL)
			semi = end;
		if ((size_t)(semi - s) <= k || s[k] != '=' ||
		    memcmp(s, key, k) != 0)
			continue;
		*len = (size_t)(semi - s) - k - 1;
		return s + k + 1;
	}
	return NULL;
}

/* Marks the cursor's row. */
static void
prompt_flag(struct vt_term *t, unsigned flag)
{
	struct vt_line *line = vt_row_own(t, t->y);

	if ((flag & (VT_LINE_PROMPT | VT_LINE_DONE)) != 0 &&
	    (line->flags & (VT_LINE_PROMPT | VT_LINE_DONE)) == 0)
		line->ended = (uint16_t)(t->x + (t->wrap ? 1 : 0));
	line->flags |= (uint16_t)flag;
}

/* --- command lines ---------------------------------------------------------------- */

/*
 * Undoes printf %q: backslashes, \'...\' and $\'...\'.  What is no character of
 * text becomes a space.
 */
static void
prompt_unquote(struct buf *out, const char *s, size_t n)
{
	bool single = false, dollar = false;
	size_t i;
	char c;

	for (i = 0; i < n; i++) {
		c = s[i];
		if (c == '\\' && (!single || dollar) && i + 1 < n) {
			c = s[++i];
			if (dollar && c != '\\' && c != '\'' && c != '"')
				c = ' ';
		} else if (c == '\'') {
			single = !single;
			dollar = false;
			continue;
		} else if (c == '$' && !single && i + 1 < n &&
			   s[i + 1] == '\'') {
			single = dollar = true;
			i++;
			continue;
		}
		(void)buf_add_u8(out, (uint8_t)(c < 0 || c >= ' ' ? c : ' '));
	}
}

/*
 * Appends the command line of C's parameters; it comes last, since a quoted one
 * may have semicolons.
 */
static void
prompt_command(struct buf *out, const char *s, size_t n)
{
	static const char quoted[] = "cmdline=";
	struct buf plain;
	const char *url;
	size_t len, i;
	char *text, *line;

	buf_init(&plain, n + 1);
	if (n >= sizeof quoted - 1 &&
	    memcmp(s, quoted, sizeof quoted - 1) == 0) {
		prompt_unquote(
		    &plain, s + sizeof quoted - 1, n - sizeof quoted + 1);
	} else if ((url = prompt_param(s, n, "cmdline_url", &len)) != NULL) {
		/* Lines of one command become one line. */
		text = mem_strndup(url, len);
		for (i = 0; i + 2 < len; i++) {
			if (text[i] == '%' && text[i + 1] == '0') {
				text[i + 1] = '2';
				text[i + 2] = '0';
			}
		}
		line = url_decode_new(text, len);
		mem_free(text);
		if (line != NULL)
			(void)buf_add_str(&plain, line);
		mem_free(line);
	}
	vt_plain_text(
	    out, (const char *)plain.data, plain.len, PROMPT_COMMAND_MAX);
	buf_fini(&plain);
}

/* --- letters ------------------------------------------------------------------------ */

static void
prompt_tell(struct vt_term *t, int letter, int status, const struct buf *text)
{
	vt_effects_add(&t->effects, VT_EFFECT_PROMPT, letter, status,
	    text == NULL || text->len == 0 ? NULL : text->data,
	    text == NULL ? 0 : text->len, NULL);
}

/* A, N, P - a prompt begins, or another line or the right part of one. */
static unsigned
prompt_begin(struct vt_term *t, const char *s, size_t n)
{
	size_t len = 0;
	const char *k = prompt_param(s, n, "k", &len);
	const char kind = len == 1 ? *k : 'i';

	if (kind == 'c' || kind == 's')
		return VT_LINE_CONTINUATION;
	if (kind == 'r')
		return 0;
	t->click = prompt_param(s, n, "cl", &len) != NULL ? VT_CLICK_KEYS
							  : VT_CLICK_NONE;
	k = prompt_param(s, n, "click_events", &len);
	if (k != NULL && len == 1 && *k == '1')
		t->click = VT_CLICK_EVENTS;
	return VT_LINE_PROMPT;
}

/* D - a command has ended.  Returns the flags of its row. */
static unsigned
prompt_end(struct vt_term *t, const char *s, size_t n, int *status)
{
	const char *semi = memchr(s, ';', n);
	int64_t v;

	if (str_to_intn(s, semi == NULL ? n : (size_t)(semi - s), 0, INT32_MAX,
		&v) != 0)
		return VT_LINE_DONE;
	*status = (int)v;
	t->state.exit_status = (uint8_t)MIN_OF(v, 255);
	return v == 0 ? VT_LINE_DONE : VT_LINE_DONE | VT_LINE_FAILED;
}

/* L - a fresh line, unless the cursor is at the beginning of one. */
static void
prompt_fresh(struct vt_term *t)
{
	if (t->x == (vt_x_inside(t) ? t->left : 0))
		return;
	vt_carriage_return(t);
	vt_index(t);
}

/* OSC 133 ; letter [; parameters] */
void
vt_osc_prompt(struct vt_term *t, int num UNUSED, const char *s, size_t n)
{
	const char letter = n > 0 && (n == 1 || s[1] == ';') ? *s : '\0';
	const struct mark_row *r = NULL;
	int status = -1;
	unsigned flag;
	struct buf text;
	size_t i;

	for (i = 0; i < ARRAY_LEN(prompt_rows); i++) {
		if (prompt_rows[i].letter == letter)
			r = &prompt_rows[i];
	}
	if (letter == 'L')
		prompt_fresh(t);
	if (r == NULL)
		return;
	s += MIN_OF(n, 2u);
	n -= MIN_OF(n, 2u);
	buf_init(&text, (size_t)PROMPT_COMMAND_MAX * 3);
	flag = r->flag;
	if (r->state == VT_PROMPT_PROMPT)
		flag = prompt_begin(t, s, n);
	else if (letter == 'D')
		flag = prompt_end(t, s, n, &status);
	else if (letter == 'C')
		prompt_command(&text, s, n);
	/* N ends a command that runs and begins a prompt. */
	if (letter == 'N' && t->state.prompt == VT_PROMPT_OUTPUT) {
		flag |= VT_LINE_DONE;
		prompt_tell(t, 'D', -1, NULL);
	}
	prompt_flag(t, flag);
	if (r->state == VT_PROMPT_INPUT)
		t->click_x = (uint16_t)t->x;
	t->state.prompt = r->state;
	prompt_tell(t, letter == 'N' ? 'A' : letter, status, &text);
	buf_fini(&text);
}
