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
