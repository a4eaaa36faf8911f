#include "client/doctor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sys.h"
#include "base/str.h"

/* Columns of "  ok    locale             " and of "        -> ". */
#define REPORT_TEXT 27
#define REPORT_ADVICE 11
#define REPORT_NAMES 8 /* columns of "  ok    " */

struct report {
	unsigned count[DOCTOR_VERDICT_COUNT];
	unsigned width; /* columns of the terminal; 0: output is no terminal */
	bool no_ssh;
	bool brief;      /* what is well is only named: both fit 24 rows */
	struct buf well; /* these names, of one machine */
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

/* Returns whether the text is worth a line also if it is well. */
static bool
report_measures(const char *name)
{
	static const char *const names[] = { "ssh", "UDP", "datagram size",
		"clock" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Prints the names of what is well so far. */
static void
report_well(struct report *r)
{
	if (r->well.len == 0)
		return;
	printf("  %-5s ", doctor_verdict_name(DOCTOR_OK));
	report_text(r, buf_cstr(&r->well), REPORT_NAMES);
	buf_clear(&r->well);
}

static void
report_add(void *arg, const char *name, const struct doctor_finding *f)
{
	struct report *r = arg;

	r->count[f->verdict]++;
	r->no_ssh |= f->verdict == DOCTOR_FAIL && strcmp(name, "ssh") == 0;
	if (r->brief && f->verdict == DOCTOR_OK && !report_measures(name)) {
		(void)buf_addf(
		    &r->well, "%s%s", r->well.len > 0 ? ", " : "", name);
		return;
	}
	report_well(r);
	printf("  %-5s %-18s ", doctor_verdict_name(f->verdict), name);
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

	r.brief = cfg->host != NULL && r.width > 0;
	buf_init(&r.well, 4096);
	printf("this machine\n");
	doctor_here(cfg, false, report_add, &r);
	report_well(&r);
	if (cfg->host != NULL && r.no_ssh) {
		printf("%s\n  not checked: ssh is missing\n", cfg->host);
	} else if (cfg->host != NULL) {
		printf("%s\n", cfg->host);
		(void)fflush(stdout);
		doctor_there(cfg, report_add, &r);
		report_well(&r);
	}
	buf_fini(&r.well);
	if (r.count[DOCTOR_FAIL] == 0)
		printf("all is well%s\n",
		    r.count[DOCTOR_NOTE] == 0 ? "" : ", but see the notes");
	else
		printf("%u %s to solve\n", r.count[DOCTOR_FAIL],
		    r.count[DOCTOR_FAIL] == 1 ? "problem" : "problems");
	if (r.brief)
		printf("rmux doctor %s | cat tells more\n", cfg->host);
	return r.count[DOCTOR_FAIL] == 0 ? 0 : 1;
}
