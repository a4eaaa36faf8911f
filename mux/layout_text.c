#include "mux/layout_text.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/layout_size.h"

uint16_t
layout_checksum(const char *text)
{
	const uint8_t *p = (const uint8_t *)text;
	unsigned sum = 0;

	for (; *p != '\0'; p++) {
		sum = (sum >> 1) + ((sum & 1) << 15);
		sum = (sum + *p) & 0xffff;
	}
	return (uint16_t)sum;
}

static void
print_cell(const struct layout_cell *c, struct buf *out)
{
	const struct layout_cell *child = layout_first_tiled(c);

	if (child != NULL && layout_next_tiled(child) == NULL) {
		print_cell(child, out); /* only floats beside it */
		return;
	}
	(void)buf_addf(out, "%dx%d,%d,%d", c->w, c->h, c->x, c->y);
	if (c->kind == LAYOUT_LEAF) {
		if (c->pane != LAYOUT_NO_PANE)
			(void)buf_addf(out, ",%u", c->pane);
		return;
	}
	(void)buf_add_u8(out, c->kind == LAYOUT_ROW ? '{' : '[');
	for (; child != NULL; child = layout_next_tiled(child)) {
		if (layout_prev_tiled(child) != NULL)
			(void)buf_add_u8(out, ',');
		print_cell(child, out);
	}
	(void)buf_add_u8(out, c->kind == LAYOUT_ROW ? '}' : ']');
}

/* Appends the text of L; leaves without a pane have no number. */
static int
layout_print(const struct layout *l, struct buf *out)
{
	struct buf body;
	int r;

	if (l->root == NULL || !layout_tiled(l->root))
		return 0;
	buf_init(&body, LAYOUT_TEXT_MAX);
	print_cell(l->root, &body);
	if (body.overflow)
		r = -ERR_LIMIT;
	else
		r = buf_addf(out, "%04x,%s", layout_checksum(buf_cstr(&body)),
		    buf_cstr(&body));
	buf_fini(&body);
	return r;
}

char *
layout_text_new(const struct layout *l)
{
	struct buf b;

	buf_init(&b, LAYOUT_TEXT_MAX + 8);
	(void)layout_print(l, &b);
	return buf_steal(&b, NULL);
}

/* --- reading ------------------------------------------------------------------- */

struct reader {
	const char *p;
	size_t cells;
};

/* Reads digits, at most MAX. */
static bool
read_number(struct reader *r, uint32_t max, uint32_t *out)
{
	uint64_t n = 0;

	if (*r->p < '0' || *r->p > '9')
		return false;
	for (; *r->p >= '0' && *r->p <= '9'; r->p++)
		if ((n = n * 10 + (uint64_t)(*r->p - '0')) > max)
			return false;
	*out = (uint32_t)n;
	return true;
}

static bool
read_char(struct reader *r, char c)
{
	if (*r->p != c)
		return false;
	r->p++;
	return true;
}

/* Reads "WxH,X,Y" and, at a leaf, ",PANE". */
static bool
read_place(struct reader *r, struct layout_cell *c)
{
	uint32_t w, h, x, y, pane;
	const char *back;

	if (!read_number(r, LAYOUT_SIZE_MAX, &w) || !read_char(r, 'x') ||
	    !read_number(r, LAYOUT_SIZE_MAX, &h) || !read_char(r, ',') ||
	    !read_number(r, LAYOUT_SIZE_MAX, &x) || !read_char(r, ',') ||
	    !read_number(r, LAYOUT_SIZE_MAX, &y))
		return false;
	c->w = (int)w;
	c->h = (int)h;
	c->x = (int)x;
	c->y = (int)y;
	if (w < LAYOUT_PANE_MIN || h < LAYOUT_PANE_MIN)
		return false;
	back = r->p;
	if (*r->p == ',') {
		r->p++;
		if (!read_number(r, UINT32_MAX - 1, &pane) || *r->p == 'x')
			r->p = back; /* the next cell, not a pane */
		else
			c->pane = pane;
	}
	return true;
}

static struct layout_cell *
read_cell(struct reader *r, struct layout_cell *parent, size_t depth)
{
	struct layout_cell *c, *child;
	char close;

	if (depth > LAYOUT_DEPTH_MAX || ++r->cells > 2 * LAYOUT_PANES_MAX)
		return NULL;
	c = layout_cell_new(parent);
	if (!read_place(r, c))
		goto bad;
	if (*r->p != '{' && *r->p != '[')
		return c;
	c->kind = *r->p == '{' ? LAYOUT_ROW : LAYOUT_COLUMN;
	close = *r->p == '{' ? '}' : ']';
	c->pane = LAYOUT_NO_PANE;
	do {
		r->p++;
		child = read_cell(r, c, depth + 1);
		if (child == NULL)
			goto bad;
		list_push_back(&c->children, &child->node);
	} while (*r->p == ',');
	if (*r->p != close || c->children.count < 2)
		goto bad;
	r->p++;
	return c;
bad:
	layout_cell_free(c);
	return NULL;
}

/* Sets the size of the outermost cell to that of its tiled children. */
static void
correct_root(struct layout_cell *root)
{
	const struct layout_cell *child = layout_first_tiled(root);
	int sum = -1, across;

	if (root->kind == LAYOUT_LEAF || child == NULL)
		return;
	across = root->kind == LAYOUT_ROW ? child->h : child->w;
	for (; child != NULL; child = layout_next_tiled(child))
		sum += (root->kind == LAYOUT_ROW ? child->w : child->h) + 1;
	root->w = root->kind == LAYOUT_ROW ? sum : across;
	root->h = root->kind == LAYOUT_ROW ? across : sum;
}

int
layout_correct(struct layout *l, struct cause *cause)
{
	/* Old versions of tmux printed a wrong size. */
	correct_root(l->root);
	layout_fix_offsets(l);
	if (layout_check(l) == NULL && l->root->w <= LAYOUT_SIZE_MAX &&
	    l->root->h <= LAYOUT_SIZE_MAX &&
	    layout_count(l) <= LAYOUT_PANES_MAX)
		return 0;
	return cause_set(
	    cause, -ERR_SYNTAX, "size mismatch after applying layout");
}

int
layout_parse(const char *text, struct layout *l, struct cause *cause)
{
	struct reader r = { text, 0 };
	unsigned sum = 0;
	int i, digit;

	*l = (struct layout){ 0 };
	if (strlen(text) > LAYOUT_TEXT_MAX)
		return cause_set(cause, -ERR_LIMIT, "invalid layout");
	for (i = 0; i < 4; i++) {
		if ((digit = str_hex_digit((uint8_t)*r.p)) < 0)
			break;
		sum = sum << 4 | (unsigned)digit;
		r.p++;
	}
	if (i != 4 || !read_char(&r, ','))
		return cause_set(cause, -ERR_SYNTAX, "malformed layout header");
	if (layout_checksum(r.p) != sum)
		return cause_set(cause, -ERR_SYNTAX, "invalid layout checksum");
	l->root = read_cell(&r, NULL, 1);
	if (l->root == NULL || *r.p != '\0') {
		layout_fini(l);
		return cause_set(cause, -ERR_SYNTAX, "invalid layout");
	}
	if ((i = layout_correct(l, cause)) != 0)
		layout_fini(l);
	return i;
}
