#include "mux/layout_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "mux/layout_size.h"
#include "mux/layout_text.h"

#define KEY_MAX 32   /* bytes of a key or type */
#define KEYS_MAX 32  /* of one object */
#define SHOWN_MAX 10 /* bytes of the text in a message */

/* --- printing ------------------------------------------------------------ */

struct printer {
	struct buf *out;
	layout_leaf_fn fn;
	void *arg;
};

static void
print_leaf(const struct printer *p, const struct layout_cell *c)
{
	struct layout_leaf leaf = { .z = -1, .last = -1 };

	p->fn(p->arg, c, &leaf);
	if (leaf.active)
		(void)buf_add_str(p->out, ",\"a\":true");
	else if (leaf.last >= 0)
		(void)buf_addf(p->out, ",\"l\":%d", leaf.last);
	(void)buf_addf(p->out, ",\"i\":%u", leaf.index);
	if (c->floating)
		(void)buf_addf(p->out, ",\"z\":%d", leaf.z);
	(void)buf_addf(p->out, ",\"I\":\"%%%u\"}", c->pane);
}

static void
print_cell(const struct printer *p, const struct layout_cell *c)
{
	static const char types[] = {
		[LAYOUT_LEAF] = 'p', [LAYOUT_ROW] = 'h', [LAYOUT_COLUMN] = 'v'
	};
	const struct layout_cell *child;

	(void)buf_addf(p->out,
	    "{\"t\":\"%c\",\"w\":%d,\"h\":%d,\"x\":%d,\"y\":%d", types[c->kind],
	    c->w, c->h, c->x, c->y);
	if (c->kind == LAYOUT_LEAF) {
		print_leaf(p, c);
		return;
	}
	(void)buf_add_str(p->out, ",\"c\":[");
	for (child = layout_first(c); child != NULL;
	     child = layout_next(child)) {
		if (layout_prev(child) != NULL)
			(void)buf_add_u8(p->out, ',');
		print_cell(p, child);
	}
	(void)buf_add_str(p->out, "]}");
}

char *
layout_json_new(const struct layout *l, layout_leaf_fn fn, void *arg)
{
	struct buf b;
	struct printer p = { &b, fn, arg };

	buf_init(&b, LAYOUT_TEXT_MAX);
	if (l->root != NULL) {
		(void)buf_add_str(&b, "{\"V\":2,\"L\":");
		print_cell(&p, l->root);
		(void)buf_add_u8(&b, '}');
	}
	if (b.overflow)
		buf_clear(&b);
	return buf_steal(&b, NULL);
}

/* --- tokens -------------------------------------------------------------- */

struct json_reader {
	const char *p;
	struct cause *cause;
	size_t cells;
	struct layout_leaf *leaves;
	size_t count;
};

static int
fail(const struct json_reader *r, const char *what)
{
	size_t n = strnlen(r->p, SHOWN_MAX + 1);

	return cause_set(r->cause, -ERR_SYNTAX, "%s: %.*s%s", what,
	    (int)MIN_OF(n, (size_t)SHOWN_MAX), r->p,
	    n > SHOWN_MAX ? "..." : "");
}

static void
skip_space(struct json_reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')
		r->p++;
}

/* Returns whether the next token is C, and skips it. */
static bool
take(struct json_reader *r, char c)
{
	skip_space(r);
	if (*r->p != c)
		return false;
	r->p++;
	return true;
}

/* Reads a string without escapes into OUT, [KEY_MAX]. */
static int
read_string(struct json_reader *r, char *out)
{
	const char *start;
	size_t n;

	skip_space(r);
	start = r->p + 1;
	if (*r->p != '"')
		return fail(r, "tokenization error");
	n = strcspn(start, "\"\\");
	if (start[n] != '"' || n >= KEY_MAX)
		return fail(r, "tokenization error");
	memcpy(out, start, n);
	out[n] = '\0';
	r->p = start + n + 1;
	return 0;
}

static int
read_number(struct json_reader *r, const char *key, int *out)
{
	const char *start;
	int64_t n = 0;
	bool minus;

	skip_space(r);
	start = r->p;
	minus = *r->p == '-';
	if (minus)
		r->p++;
	if (*r->p < '0' || *r->p > '9') {
		r->p = start;
		return cause_set(
		    r->cause, -ERR_SYNTAX, "key \"%s\" expected a number", key);
	}
	if (*r->p == '0' && r->p[1] >= '0' && r->p[1] <= '9')
		goto bad;
	for (; *r->p >= '0' && *r->p <= '9'; r->p++)
		if ((n = n * 10 + (*r->p - '0')) > INT32_MAX)
			goto bad;
	if (*r->p == '.' || *r->p == 'e' || *r->p == 'E')
		goto bad;
	*out = (int)(minus ? -n : n);
	return 0;
bad:
	r->p = start;
	return fail(r, "invalid number");
}

static int
read_boolean(struct json_reader *r, const char *key, bool *out)
{
	static const char *const words[] = { "false", "true" };
	size_t i, n;

	skip_space(r);
	for (i = 0; i < ARRAY_LEN(words); i++) {
		n = strlen(words[i]);
		if (strncmp(r->p, words[i], n) == 0) {
			r->p += n;
			*out = i == 1;
			return 0;
		}
	}
	return cause_set(
	    r->cause, -ERR_SYNTAX, "key \"%s\" expected a boolean", key);
}

/* The keys of the object that is being read. */
struct keys {
	char names[KEYS_MAX][KEY_MAX];
	size_t count;
};

/*
 * Reads the next key of an object with its colon. Returns 1 at the end of the
 * object.
 */
static int
next_key(struct json_reader *r, struct keys *k)
{
	char *name = k->names[k->count];
	size_t i;
	int rc;

	if (take(r, '}'))
		return 1;
	if (k->count > 0 && !take(r, ','))
		return fail(r, "invalid object");
	if (k->count == KEYS_MAX - 1)
		return fail(r, "too many keys");
	skip_space(r);
	if (strchr("{}[],:", *r->p) != NULL) {
		/* At the end of the text tmux names its last character. */
		r->p -= *r->p == '\0';
		return fail(r, "invalid key");
	}
	if ((rc = read_string(r, name)) != 0)
		return rc;
	for (i = 0; i < k->count; i++)
		if (strcmp(k->names[i], name) == 0)
			return fail(r, "duplicate key");
	k->count++;
	return take(r, ':') ? 0 : fail(r, "missing colon");
}

/* Returns the key that next_key has read. */
static const char *
this_key(const struct keys *k)
{
	return k->names[k->count - 1];
}

static int skip_object(struct json_reader *r, size_t depth);

/* Skips the value of an unknown key. */
static int
skip_value(struct json_reader *r, size_t depth)
{
	char text[KEY_MAX];
	bool flag;
	int n;

	skip_space(r);
	if (*r->p == '{')
		return skip_object(r, depth + 1);
	if (*r->p == '"')
		return read_string(r, text);
	if (*r->p == 't' || *r->p == 'f')
		return read_boolean(r, "", &flag);
	if (*r->p == '-' || (*r->p >= '0' && *r->p <= '9'))
		return read_number(r, "", &n);
	if (*r->p != '[')
		return fail(r, "unexpected value when parsing object");
	r->p++;
	if (take(r, ']'))
		return 0;
	do {
		if ((n = skip_object(r, depth + 1)) != 0)
			return n;
	} while (take(r, ','));
	return take(r, ']') ? 0 : fail(r, "invalid array");
}

static int
skip_object(struct json_reader *r, size_t depth)
{
	struct keys k;
	int rc;

	k.count = 0;
	if (depth > LAYOUT_DEPTH_MAX)
		return fail(r, "nested too deeply");
	if (!take(r, '{'))
		return fail(r, "tokenization error");
	while ((rc = next_key(r, &k)) == 0)
		if ((rc = skip_value(r, depth)) != 0)
			return rc;
	return rc == 1 ? 0 : rc;
}

/* --- cells --------------------------------------------------------------- */

/* What the text says about one cell. */
struct cell_text {
	char type[KEY_MAX];
	int n[7]; /* of the keys of number_keys */
	bool has[7];
	bool active;
	bool children;
};

static const char number_keys[] = "whxyilz";

enum {
	NUM_W,
	NUM_H,
	NUM_X,
	NUM_Y,
	NUM_I,
	NUM_L,
	NUM_Z
};

static int read_cell(
    struct json_reader *r, struct layout_cell *parent, size_t depth);

/* Reads the cells inside C. */
static int
read_children(struct json_reader *r, struct layout_cell *c, size_t depth)
{
	int rc;

	if (!take(r, '['))
		return cause_set(
		    r->cause, -ERR_SYNTAX, "key \"c\" expected an array");
	if (take(r, ']'))
		return 0;
	do {
		if ((rc = read_cell(r, c, depth + 1)) != 0)
			return rc;
	} while (take(r, ','));
	return take(r, ']') ? 0 : fail(r, "invalid array");
}

static int
read_value(struct json_reader *r, const char *key, struct layout_cell *c,
    struct cell_text *t, size_t depth)
{
	const char *at = key[0] != '\0' && key[1] == '\0'
			     ? strchr(number_keys, key[0])
			     : NULL;

	if (at != NULL) {
		t->has[at - number_keys] = true;
		return read_number(r, key, &t->n[at - number_keys]);
	}
	if (strcmp(key, "a") == 0)
		return read_boolean(r, key, &t->active);
	if (strcmp(key, "t") == 0) {
		skip_space(r);
		if (*r->p == '"')
			return read_string(r, t->type);
		return cause_set(
		    r->cause, -ERR_SYNTAX, "key \"t\" expected a string");
	}
	if (strcmp(key, "c") != 0)
		return skip_value(r, depth);
	t->children = true;
	return read_children(r, c, depth);
}

static int
missing(const struct json_reader *r, char key)
{
	return cause_set(r->cause, -ERR_SYNTAX, "key \"%c\" not found", key);
}

/* Adds the leaf C. */
static int
finish_leaf(
    struct json_reader *r, struct layout_cell *c, const struct cell_text *t)
{
	struct layout_leaf *leaf;

	if (c->children.count != 0)
		return cause_set(
		    r->cause, -ERR_SYNTAX, "a pane has no cells inside");
	if (!t->has[NUM_I])
		return missing(r, 'i');
	if (t->n[NUM_I] < 0)
		return cause_set(
		    r->cause, -ERR_SYNTAX, "invalid index %d", t->n[NUM_I]);
	if (r->count >= LAYOUT_PANES_MAX)
		return cause_set(r->cause, -ERR_LIMIT, "too many panes");
	c->floating = t->has[NUM_Z];
	leaf = &r->leaves[r->count++];
	leaf->cell = c;
	leaf->index = (uint32_t)t->n[NUM_I];
	leaf->z = t->has[NUM_Z] ? t->n[NUM_Z] : -1;
	leaf->last = t->has[NUM_L] && t->n[NUM_L] >= 0 ? t->n[NUM_L] : -1;
	leaf->active = t->active;
	return 0;
}

/* Checks one side of a cell; 0 is for rows and columns of floats only. */
static int
check_side(const struct json_reader *r, const struct layout_cell *c,
    const char *what, int n)
{
	int least = c->kind == LAYOUT_LEAF || layout_tiled(c) ? 1 : 0;

	if (n >= least && n <= LAYOUT_SIZE_MAX)
		return 0;
	return cause_set(r->cause, -ERR_SYNTAX, "invalid %s %d", what, n);
}

static int
finish_cell(
    struct json_reader *r, struct layout_cell *c, const struct cell_text *t)
{
	size_t i;
	int rc;

	if (*t->type == '\0')
		return missing(r, 't');
	if (strchr("phv", *t->type) == NULL || t->type[1] != '\0')
		return cause_set(
		    r->cause, -ERR_SYNTAX, "unknown cell type \"%s\"", t->type);
	for (i = NUM_W; i <= NUM_Y; i++)
		if (!t->has[i])
			return missing(r, number_keys[i]);
	c->kind = *t->type == 'p'   ? LAYOUT_LEAF
		  : *t->type == 'h' ? LAYOUT_ROW
				    : LAYOUT_COLUMN;
	c->x = CLAMP(t->n[NUM_X], -LAYOUT_SIZE_MAX, LAYOUT_SIZE_MAX);
	c->y = CLAMP(t->n[NUM_Y], -LAYOUT_SIZE_MAX, LAYOUT_SIZE_MAX);
	c->w = t->n[NUM_W];
	c->h = t->n[NUM_H];
	if (c->kind == LAYOUT_LEAF)
		rc = finish_leaf(r, c, t);
	else if (!t->children)
		rc = missing(r, 'c');
	else if (c->children.count < 2)
		rc = cause_set(r->cause, -ERR_SYNTAX,
		    "nodes must have more than one child");
	else
		rc = 0;
	if (rc == 0)
		rc = check_side(r, c, "width", c->w);
	if (rc == 0)
		rc = check_side(r, c, "height", c->h);
	return rc;
}

/* Reads a cell and adds it to PARENT. */
static int
read_cell(struct json_reader *r, struct layout_cell *parent, size_t depth)
{
	struct layout_cell *c;
	struct cell_text t = { .type = "" };
	struct keys k;
	int rc;

	k.count = 0;
	if (depth > LAYOUT_DEPTH_MAX + 1 || ++r->cells > 2 * LAYOUT_PANES_MAX)
		return cause_set(r->cause, -ERR_LIMIT, "invalid layout");
	if (!take(r, '{'))
		return fail(r, "tokenization error");
	c = layout_cell_new(parent);
	list_push_back(&parent->children, &c->node);
	while ((rc = next_key(r, &k)) == 0)
		if ((rc = read_value(r, this_key(&k), c, &t, depth)) != 0)
			return rc;
	return rc == 1 ? finish_cell(r, c, &t) : rc;
}

/* --- the text ------------------------------------------------------------ */

static int
by_index(const void *a, const void *b)
{
	const struct layout_leaf *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

static int
by_z(const void *a, const void *b)
{
	const struct layout_leaf *x = a, *y = b;

	return x->z < y->z ? -1 : x->z > y->z;
}

static int
by_last(const void *a, const void *b)
{
	const struct layout_leaf *x = a, *y = b;

	return x->last < y->last ? -1 : x->last > y->last;
}

/* Sorts the leaves by index, and checks that nothing is there twice. */
static int
check_leaves(struct json_reader *r)
{
	struct layout_leaf *l = r->leaves;
	size_t i, active = 0;

	qsort(l, r->count, sizeof(*l), by_z);
	for (i = 1; i < r->count; i++)
		if (l[i].cell->floating && l[i - 1].cell->floating &&
		    l[i].z == l[i - 1].z)
			return cause_set(
			    r->cause, -ERR_SYNTAX, "duplicate pane z-index");
	qsort(l, r->count, sizeof(*l), by_last);
	for (i = 1; i < r->count; i++)
		if (l[i].last >= 0 && l[i].last == l[i - 1].last)
			return cause_set(
			    r->cause, -ERR_SYNTAX, "duplicate last pane index");
	qsort(l, r->count, sizeof(*l), by_index);
	for (i = 0; i < r->count; i++) {
		if (i > 0 && l[i].index == l[i - 1].index)
			return cause_set(
			    r->cause, -ERR_SYNTAX, "duplicate pane index");
		if (l[i].active && ++active > 1)
			return cause_set(
			    r->cause, -ERR_SYNTAX, "more than one active pane");
	}
	return 0;
}

/* Reads the outermost object; the layout becomes the child of TOP. */
static int
read_text(struct json_reader *r, struct layout_cell *top)
{
	struct keys k;
	bool version = false;
	int rc, n = 0;

	k.count = 0;
	if (!take(r, '{'))
		return fail(r, "tokenization error");
	while ((rc = next_key(r, &k)) == 0) {
		if (strcmp(this_key(&k), "V") == 0) {
			version = true;
			rc = read_number(r, "V", &n);
		} else if (strcmp(this_key(&k), "L") == 0) {
			skip_space(r);
			rc = *r->p == '{' ? read_cell(r, top, 1)
					  : cause_set(r->cause, -ERR_SYNTAX,
						"key \"L\" expected an object");
		} else
			rc = skip_value(r, 1);
		if (rc != 0)
			return rc;
	}
	if (rc != 1)
		return rc;
	skip_space(r);
	if (*r->p != '\0')
		return fail(r, "tokenization error");
	if (!version)
		return missing(r, 'V');
	if (n != 2)
		return cause_set(r->cause, -ERR_SYNTAX, "version mismatch");
	return top->children.count == 1 ? check_leaves(r) : missing(r, 'L');
}

bool
layout_json_is(const char *text)
{
	struct json_reader r = { .p = text };

	skip_space(&r);
	return *r.p == '{';
}

int
layout_json_parse(const char *text, struct layout *l,
    struct layout_leaf **leaves, size_t *n, struct cause *cause)
{
	struct json_reader r = { .p = text, .cause = cause };
	struct layout_cell *top = layout_cell_new(NULL);
	int rc;

	*l = (struct layout){ 0 };
	*leaves = NULL;
	*n = 0;
	r.leaves = mem_calloc(LAYOUT_PANES_MAX, sizeof(*r.leaves));
	if (strlen(text) > LAYOUT_TEXT_MAX)
		rc = cause_set(cause, -ERR_LIMIT, "invalid layout");
	else
		rc = read_text(&r, top);
	if (rc == 0) {
		l->root = layout_first(top);
		list_remove(&top->children, &l->root->node);
		l->root->parent = NULL;
		rc = layout_correct(l, cause);
	}
	layout_cell_free(top);
	if (rc != 0) {
		layout_fini(l);
		mem_free(r.leaves);
		return rc;
	}
	*leaves = r.leaves;
	*n = r.count;
	return 0;
}
