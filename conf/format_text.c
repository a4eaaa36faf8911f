#include "conf/format_text.h"

#include <string.h>

#include "base/utf8.h"

void
format_text_init(struct format_text *t, const struct grapheme_table *widths,
    const char *p, size_t n)
{
	t->p = p;
	t->end = p + n;
	t->widths = widths;
	t->no_hashes = false;
	t->run = 0;
}

/* Reads one cluster of text that is not a #. */
static void
format_text_cluster(struct format_text *t, struct format_text_item *item)
{
	size_t left = (size_t)(t->end - t->p), n;
	uint32_t cp;
	int width = 1;

	if ((unsigned char)*t->p < 0x20 || *t->p == 0x7f) {
		item->kind = FORMAT_TEXT_NOTHING;
		item->source_len = 1;
		t->p++;
		return;
	}
	if ((unsigned char)*t->p < 0x80 &&
	    (left == 1 || (unsigned char)t->p[1] < 0x80)) {
		n = 1;
	} else {
		n = utf8_decode_final((const uint8_t *)t->p, left, &cp);
		if (cp == UTF8_REPLACEMENT &&
		    !(n == 3 && memcmp(t->p, "\xef\xbf\xbd", 3) == 0)) {
			item->kind = FORMAT_TEXT_NOTHING;
			item->source_len = n;
			t->p += n;
			return;
		}
		if (t->widths != NULL)
			n = grapheme_next(
			    t->widths, (const uint8_t *)t->p, left, &width);
	}
	item->kind = FORMAT_TEXT_CLUSTER;
	item->source_len = item->shown_len = n;
	item->width = width;
	t->p += n;
}

/*
 * Returns the end of the style that begins at P (after its bracket), or NULL.
 */
static const char *
format_text_style_end(const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p == '#' && p + 1 < end && strchr(",#{}:", p[1]) != NULL)
			p++;
		else if (*p == ']')
			return p;
	}
	return NULL;
}

/* Reads a run of #: pairs of them, or the beginning of a style. */
static void
format_text_hashes(struct format_text *t, struct format_text_item *item)
{
	const char *q, *close;
	size_t run;

	/* Count a run once, not again for each pair of it. */
	for (q = t->p + t->run; t->run == 0 && q < t->end && *q == '#'; q++)
		;
	run = t->run = (size_t)(q - t->p);
	if (run == 1 && q < t->end && *q == '[') {
		close = format_text_style_end(q + 1, t->end);
		t->run = 0;
		if (close == NULL) {
			item->kind = FORMAT_TEXT_END;
			t->p = t->end;
			return;
		}
		item->kind = FORMAT_TEXT_STYLE;
		item->shown = q + 1;
		item->shown_len = (size_t)(close - q - 1);
		item->source_len = (size_t)(close + 1 - t->p);
		t->p = close + 1;
		return;
	}
	item->kind = FORMAT_TEXT_CLUSTER;
	item->source_len = run == 1 ? 1 : 2;
	item->shown_len = 1;
	item->width = 1;
	t->p += item->source_len;
	t->run -= item->source_len;
}

enum format_text_kind
format_text_next(struct format_text *t, struct format_text_item *item)
{
	memset(item, 0, sizeof(*item));
	item->source = item->shown = t->p;
	if (t->p == t->end)
		return FORMAT_TEXT_END;
	if (*t->p == '#' && !t->no_hashes)
		format_text_hashes(t, item);
	else
		format_text_cluster(t, item);
	return item->kind;
}

size_t
format_text_width(const struct grapheme_table *widths, const char *p, size_t n)
{
	struct format_text t;
	struct format_text_item item;
	size_t width = 0;

	format_text_init(&t, widths, p, n);
	while (format_text_next(&t, &item) != FORMAT_TEXT_END)
		width += (size_t)item.width;
	return width;
}

size_t
format_text_plain_width(
    const struct grapheme_table *widths, const char *p, size_t n)
{
	struct format_text t;
	struct format_text_item item;
	size_t width = 0;

	format_text_init(&t, widths, p, n);
	t.no_hashes = true;
	while (format_text_next(&t, &item) != FORMAT_TEXT_END)
		width += (size_t)item.width;
	return width;
}

void
format_text_trim_left(const struct grapheme_table *widths, const char *p,
    size_t n, size_t limit, struct buf *out)
{
	struct format_text t;
	struct format_text_item item;
	size_t width = 0;

	format_text_init(&t, widths, p, n);
	/* Styles after the limit are left out too. */
	while (
	    width < limit && format_text_next(&t, &item) != FORMAT_TEXT_END) {
		if (item.kind == FORMAT_TEXT_CLUSTER) {
			width += (size_t)item.width;
			if (width > limit)
				break;
		}
		if (item.kind != FORMAT_TEXT_NOTHING)
			(void)buf_add(out, item.source, item.source_len);
	}
}

void
format_text_trim_right(const struct grapheme_table *widths, const char *p,
    size_t n, size_t limit, struct buf *out)
{
	struct format_text t;
	struct format_text_item item;
	size_t total = format_text_width(widths, p, n), width = 0, skip;

	skip = total > limit ? total - limit : 0;
	format_text_init(&t, widths, p, n);
	while (format_text_next(&t, &item) != FORMAT_TEXT_END) {
		if (item.kind == FORMAT_TEXT_CLUSTER) {
			width += (size_t)item.width;
			if (width - (size_t)item.width < skip)
				continue;
		}
		if (item.kind != FORMAT_TEXT_NOTHING)
			(void)buf_add(out, item.source, item.source_len);
	}
}
