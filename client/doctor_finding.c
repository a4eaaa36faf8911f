/*
 * Findings: filled by a check, and sent as a line by a far end.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "client/doctor.h"

static const char *const verdicts[DOCTOR_VERDICT_COUNT] = { "ok", "note",
	"FAIL" };

const char *
doctor_verdict_name(enum doctor_verdict v)
{
	return verdicts[v];
}

void
doctor_find(struct doctor_finding *f, enum doctor_verdict v, const char *advice,
    const char *fmt, ...)
{
	va_list ap;

	f->verdict = v;
	va_start(ap, fmt);
	(void)vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	(void)str_copy(f->advice, advice, sizeof(f->advice));
}

/* --- the line format of both ends ----------------------------------------- */

/* security: what another machine sends is printed to a terminal. */
static void
make_plain(char *s)
{
	size_t n = strlen(s), used;
	uint32_t cp;

	for (; n > 0; s += used, n -= used) {
		used = utf8_decode_final((const uint8_t *)s, n, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
		    cp == UTF8_REPLACEMENT)
			memset(s, '?', used);
	}
}

static void
add_field(struct buf *out, const char *text)
{
	char plain[512];

	(void)str_copy(plain, text, sizeof(plain));
	make_plain(plain);
	(void)buf_addf(out, "\t%s", plain);
}

void
doctor_line_format(
    struct buf *out, const char *name, const struct doctor_finding *f)
{
	(void)buf_addf(out, "CHECK\t%s", verdicts[f->verdict]);
	add_field(out, name);
	add_field(out, f->text);
	add_field(out, f->advice);
	(void)buf_add(out, "\n", 1);
}

/*
 * Copies the next field of a line without control characters; false at the end
 * of the line.
 */
static bool
take_field(const char **line, char *out, size_t size)
{
	size_t n;

	if (**line != '\t')
		return false;
	(*line)++;
	n = strcspn(*line, "\t");
	snprintf(out, size, "%.*s", (int)MIN_OF(n, 4096), *line);
	make_plain(out);
	*line += n;
	return true;
}

bool
doctor_line_parse(
    const char *line, char *name, size_t size, struct doctor_finding *f)
{
	char word[16];
	int i;

	memset(f, 0, sizeof(*f));
	if (strncmp(line, "CHECK", 5) != 0)
		return false;
	line += 5;
	if (!take_field(&line, word, sizeof(word)) ||
	    !take_field(&line, name, size) ||
	    !take_field(&line, f->text, sizeof(f->text)) ||
	    !take_field(&line, f->advice, sizeof(f->advice)) || *line != '\0')
		return false;
	for (i = 0; i < DOCTOR_VERDICT_COUNT; i++)
		if (strcmp(word, verdicts[i]) == 0) {
			f->verdict = (enum doctor_verdict)i;
			return true;
		}
	return false;
}
