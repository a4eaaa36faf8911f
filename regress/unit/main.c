#include <stdio.h>

#include "regress/unit/unit.h"

#if defined(__has_feature)
# if __has_feature(address_sanitizer)
#  define UNIT_ASAN 1
# endif
#elif defined(__SANITIZE_ADDRESS__)
# define UNIT_ASAN 1
#endif

static unit_suite_fn unit_suites[128];
static size_t unit_count;

void
unit_register(unit_suite_fn fn)
{
	if (unit_count == sizeof(unit_suites) / sizeof(unit_suites[0]))
		abort();
	unit_suites[unit_count++] = fn;
}

unsigned long
unit_seed(unsigned long fallback)
{
	const char *s = getenv("UNIT_SEED");

	return s == NULL ? fallback : strtoul(s, NULL, 0);
}

unsigned
unit_rounds(unsigned n)
{
	const char *times = getenv("UNIT_ROUNDS");

	if (getenv("UNIT_SHORT") != NULL)
		return (n + 19) / 20;
	if (times != NULL)
		return n * (unsigned)strtoul(times, NULL, 10);
#ifdef UNIT_ASAN
	/* Each round is several times as slow; gcc without ASan runs all. */
	return (n + 9) / 10;
#else
	return n;
#endif
}

unsigned
unit_stride(unsigned n)
{
	return getenv("UNIT_SHORT") == NULL ? 1 : n;
}

int
main(void)
{
	SRunner *r;
	int failed, ran;
	size_t i;

	/* Sanitizers and busy machines: a hang is a minute, not 4 s. */
	setenv("CK_DEFAULT_TIMEOUT", "60", 0);
	r = srunner_create(NULL);
	for (i = 0; i < unit_count; i++)
		srunner_add_suite(r, unit_suites[i]());
	/* TAP comes out where CK_TAP_LOG_FILE_NAME says, else a summary. */
	srunner_run_all(
	    r, getenv("CK_TAP_LOG_FILE_NAME") != NULL ? CK_SILENT : CK_NORMAL);
	ran = srunner_ntests_run(r);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	if (ran == 0) {
		fprintf(stderr, "no test ran\n");
		return 1;
	}
	return failed == 0 ? 0 : 1;
}
