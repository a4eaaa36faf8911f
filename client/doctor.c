#include "client/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sys.h"
#include "base/str.h"

static const char *const verdicts[DOCTOR_VERDICT_COUNT] = { "ok", "note",
	"FAIL" };

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
	const char *begin = s;

	for (; *s != '\0'; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f ||
		    ((unsigned char)*s >= 0x80 && (unsigned char)*s < 0xa0 &&
			s > begin && (unsigned char)s[-1] == 0xc2))
			*s = '?';
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

/* --- the report ----------------------------------------------------------- */

/* Columns of "  ok    locale             " and of "        -> ". */
#define REPORT_TEXT 27
#define REPORT_ADVICE 11

struct report {
	unsigned count[DOCTOR_VERDICT_COUNT];
	unsigned width; /* columns of the terminal; 0: output is no terminal */
	bool no_ssh;
};

/* Appends TEXT from column AT on, in as many lines as it needs. */
static void
report_text(const struct report *r, const char *text, size_t at)
{
	struct buf b;

	buf_init(&b, 1 << 16);
	/* A very narrow terminal has no room for columns. */
	str_wrap(&b, text, at, r->width < 2 * at ? 8 : at, r->width);
	puts(buf_cstr(&b));
	buf_fini(&b);
}

static void
report_add(void *arg, const char *name, const struct doctor_finding *f)
{
	struct report *r = arg;

	r->count[f->verdict]++;
	r->no_ssh |= f->verdict == DOCTOR_FAIL && strcmp(name, "ssh") == 0;
	printf("  %-5s %-18s ", verdicts[f->verdict], name);
	report_text(r, f->text, REPORT_TEXT);
	if (f->verdict != DOCTOR_OK && f->advice[0] != '\0') {
		printf("        -> ");
		report_text(r, f->advice, REPORT_ADVICE);
	}
	(void)fflush(stdout);
}

int
doctor_run(const struct doctor_cfg *cfg)
{
	struct report r = { .width = sys_columns(STDOUT_FILENO) };

	printf("this machine\n");
	doctor_here(cfg, false, report_add, &r);
	if (cfg->host != NULL && r.no_ssh) {
		printf("%s\n  not checked: ssh is missing\n", cfg->host);
	} else if (cfg->host != NULL) {
		printf("%s\n", cfg->host);
		(void)fflush(stdout);
		doctor_there(cfg, report_add, &r);
	}
	if (r.count[DOCTOR_FAIL] == 0)
		printf("all is well%s\n",
		    r.count[DOCTOR_NOTE] == 0 ? "" : ", but see the notes");
	else
		printf("%u %s to solve\n", r.count[DOCTOR_FAIL],
		    r.count[DOCTOR_FAIL] == 1 ? "problem" : "problems");
	return r.count[DOCTOR_FAIL] == 0 ? 0 : 1;
}
