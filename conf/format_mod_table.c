/* The rows of format_mod.def, and the parser of the modifiers of a key. */
#include <ctype.h>
#include <string.h>

#include "conf/format_mod.h"

static const struct fmt_mod fmt_mod_table[] = {
#define X(name, args, stage, fn, help) \
 { name, args, FMT_##stage, fmt_mod_##fn, help },
#include "conf/format_mod.def"
#undef X
};

const struct fmt_mod *
fmt_mod_rows(size_t *count)
{
	*count = ARRAY_LEN(fmt_mod_table);
	return fmt_mod_table;
}

/* Tells whether a modifier ends at P. */
static bool
fmt_mods_is_end(const char *p, const char *end)
{
	return p < end && (*p == ';' || *p == ':');
}

/* Returns the row at P; *args tells that arguments follow its letter. */
static const struct fmt_mod *
fmt_mods_row(const char *p, const char *end, bool *args)
{
	const struct fmt_mod *with_args = NULL;
	size_t i, n;

	*args = false;
	for (i = 0; i < ARRAY_LEN(fmt_mod_table); i++) {
		const struct fmt_mod *m = &fmt_mod_table[i];

		if (m->name[0] != *p)
			continue;
		n = m->name[1] == '\0' ? 1 : 2;
		if ((size_t)(end - p) < n || (n == 2 && m->name[1] != p[1]))
			continue;
		if (fmt_mods_is_end(p + n, end))
			return m;
		if (m->takes_args)
			with_args = m;
	}
	*args = with_args != NULL;
	return with_args;
}

/* Stores T, expanded, as the next argument of U. */
static void
fmt_mods_add_arg(const struct fmt *f, struct fmt_mods *mods, struct fmt_use *u,
    struct fmt_text t)
{
	struct fmt sub = *f;
	struct buf b;

	if (u->argc == FMT_ARGS_MAX)
		return;
	/* strftime(3) was applied to the whole text already. */
	sub.flags &= ~(unsigned)FORMAT_STRFTIME;
	buf_init(&b, FORMAT_OUTPUT_MAX);
	fmt_expand(&sub, t.p, t.n, &b);
	if (buf_add(&mods->text, buf_cstr(&b), b.len) == 0 &&
	    buf_add_u8(&mods->text, 0) == 0)
		u->arg[u->argc++] = (uint32_t)(mods->text.len - b.len - 1);
	else
		fmt_limit(f, true);
	buf_fini(&b);
}

/*
 * Reads the arguments of U at P: either one, up to the next ; or :, or many,
 * each after the same punctuation. Returns their end or NULL.
 */
static const char *
fmt_mods_args(const struct fmt *f, struct fmt_mods *mods, struct fmt_use *u,
    const char *p, const char *end)
{
	char ends[4] = "x;:";
	const char *q;

	if (!ispunct((unsigned char)*p) || *p == '-') {
		q = format_skip(p, end, ":;");
		if (q != NULL)
			fmt_mods_add_arg(f, mods, u,
			    (struct fmt_text){ p, (size_t)(q - p) });
		return q;
	}
	ends[0] = *p;
	do {
		if (*p == ends[0] && fmt_mods_is_end(p + 1, end))
			return p + 1;
		q = format_skip(p + 1, end, ends);
		if (q == NULL)
			return NULL;
		p++;
		fmt_mods_add_arg(
		    f, mods, u, (struct fmt_text){ p, (size_t)(q - p) });
		p = q;
	} while (!fmt_mods_is_end(p, end) && !f->run->stop);
	return p;
}

/*
 * Tells whether the arguments of a modifier have a meaning.  One without changes
 * nothing.
 */
static bool
fmt_mods_counts(const struct fmt_mods *mods, const struct fmt_use *u)
{
	const char *arg =
	    u->argc == 0 ? "" : (const char *)mods->text.data + u->arg[0];

	switch (u->mod->name[0]) {
	case 'N':
		return u->argc == 0 || strpbrk(arg, "ws") != NULL;
	case 'I':
		return *arg != '\0' && strchr("fce", *arg) != NULL;
	case 'e':
		return u->argc > 0;
	default:
		return true;
	}
}

/* Modifiers that share a value: the one named last decides. */
enum fmt_family {
	FMT_ALONE,
	FMT_COMPARES, /* one comparison is made */
	FMT_BOOLS,    /* one list is tested */
	FMT_SORTS,    /* loops over the model: one order */
	FMT_TABLES,   /* loops over options and variables: one table */
	FMT_KEEPS,    /* without arguments it changes nothing named before */
};

static enum fmt_family
fmt_mods_family(const struct fmt_mod *m)
{
	if (m->fn == fmt_mod_compare || m->fn == fmt_mod_match)
		return FMT_COMPARES;
	if (m->fn == fmt_mod_or || m->fn == fmt_mod_and)
		return FMT_BOOLS;
	if (m->fn == fmt_mod_loop)
		return strchr("OV", m->name[0]) != NULL ? FMT_TABLES
							: FMT_SORTS;
	if (m->name[1] == '\0' && strchr("ctp=", m->name[0]) != NULL)
		return FMT_KEEPS;
	return FMT_ALONE;
}

/* Gives TO the arguments of FROM. */
static void
fmt_mods_take(struct fmt_use *to, const struct fmt_use *from)
{
	to->argc = from->argc;
	memcpy(to->arg, from->arg, sizeof(to->arg));
}

/* Settles between U, the last modifier, and those before it. */
static void
fmt_mods_settle(struct fmt_mods *mods, struct fmt_use *u)
{
	const enum fmt_family family = fmt_mods_family(u->mod);
	const bool plain = u->argc == 0;
	struct fmt_use *old;

	for (old = mods->use; old < u && u->mod != NULL; old++) {
		if (old->mod == NULL || family == FMT_ALONE ||
		    fmt_mods_family(old->mod) != family)
			continue;
		if (family == FMT_COMPARES || family == FMT_BOOLS)
			old->mod = NULL;
		else if (family == FMT_SORTS ||
			 (family == FMT_TABLES && !plain))
			fmt_mods_take(old, u);
		else if (family == FMT_TABLES)
			fmt_mods_take(u, old);
		else if (old->mod == u->mod && plain)
			u->mod = NULL;
	}
}

static void
fmt_mods_trace(const struct fmt *f, const struct fmt_mods *mods)
{
	const struct fmt_use *u;
	size_t i, n;

	for (i = 0; i < mods->count; i++) {
		u = &mods->use[i];
		fmt_trace(f, "modifier %zu is %s", i, u->named->name);
		for (n = 0; n < u->argc; n++)
			fmt_trace(f, "modifier %zu argument %zu: %s", i, n,
			    (const char *)mods->text.data + u->arg[n]);
	}
}

void
fmt_mods_parse(const struct fmt *f, struct fmt_text *key, struct fmt_mods *mods)
{
	const char *p = key->p, *end = key->p + key->n;
	const struct fmt_mod *m;
	struct fmt_use *u;
	size_t i;
	bool args;

	mods->count = 0;
	buf_init(&mods->text, FORMAT_OUTPUT_MAX);
	while (p != NULL && p < end && *p != ':') {
		if (*p == ';' && ++p < end && *p == ':')
			break;
		if (p == end)
			break;
		m = fmt_mods_row(p, end, &args);
		if (m == NULL || mods->count == FMT_MODS_MAX)
			break;
		u = &mods->use[mods->count++];
		u->mod = u->named = m;
		u->argc = 0;
		if (args)
			p = fmt_mods_args(f, mods, u, p + 1, end);
		else
			p += m->name[1] == '\0' ? 1 : 2;
		if (p != NULL && !fmt_mods_counts(mods, u))
			u->mod = NULL;
	}
	if (p == NULL || p >= end || *p != ':') {
		mods->count = 0;
		return;
	}
	if (fmt_traced(f))
		fmt_mods_trace(f, mods);
	for (i = 0; i < mods->count; i++)
		if (mods->use[i].mod != NULL)
			fmt_mods_settle(mods, &mods->use[i]);
	key->p = p + 1;
	key->n = (size_t)(end - key->p);
}

void
fmt_mods_fini(struct fmt_mods *mods)
{
	buf_fini(&mods->text);
}
