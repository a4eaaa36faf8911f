#include "client/deploy_file.h"
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "ssp/crypto.h"

/* ELF: offsets and values of the header of a program. */
#define ELF_HEADER 52 /* the shorter of the two kinds */
#define ELF_CLASS 4
#define ELF_DATA 5
#define ELF_OSABI 7
#define ELF_TYPE 16
#define ELF_MACHINE 18
#define ELF_INTERP 3 /* type of a program header: the path of a loader */

/* A version in the bytes of the program; what(1) finds it, too. */
static const char deploy_mark[] = "@(#)rmux " PACKAGE_VERSION;
#define DEPLOY_MARK_NAME 9

/* Architectures: the name by uname -m, the ELF header's number and kind. */
static const struct machine {
	const char *name;
	unsigned number;
	bool wide;        /* 64 bits */
	bool big;         /* the most significant byte comes first */
	const char *also; /* another name of uname, or "" */
} machines[] = {
	{ "x86_64", 62, true, false, "amd64" },
	{ "aarch64", 183, true, false, "arm64" },
	{ "riscv64", 243, true, false, "" },
	{ "ppc64le", 21, true, false, "" },
	{ "s390x", 22, true, true, "" },
	{ "loongarch64", 258, true, false, "" },
	{ "armv7l", 40, false, false, "armv8l" },
	{ "i686", 3, false, false, "i586" },
};

const char *
deploy_machine(size_t number)
{
	return number < ARRAY_LEN(machines) ? machines[number].name : NULL;
}

static uint64_t
number_at(const uint8_t *p, size_t bytes, bool big)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < bytes; i++)
		v = v << 8 | p[big ? i : bytes - 1 - i];
	return v;
}

/* Returns whether the program needs a dynamic loader (PT_INTERP). */
static bool
has_loader(const uint8_t *p, size_t n, bool wide, bool big)
{
	uint64_t at = number_at(p + (wide ? 32 : 28), wide ? 8 : 4, big);
	uint64_t each = number_at(p + (wide ? 54 : 42), 2, big);
	uint64_t count = number_at(p + (wide ? 56 : 44), 2, big), i;

	for (i = 0; i < count && at <= n && each >= 4 && n - at >= each; i++) {
		if (number_at(p + at, 4, big) == ELF_INTERP)
			return true;
		at += each;
	}
	return false;
}

static int
look_header(struct deploy_file *f, const uint8_t *p, size_t n, struct cause *c)
{
	bool wide, big;
	unsigned type, number;
	size_t i;

	if (n < ELF_HEADER + 12 || memcmp(p, "\177ELF", 4) != 0 ||
	    p[ELF_CLASS] < 1 || p[ELF_CLASS] > 2 || p[ELF_DATA] < 1 ||
	    p[ELF_DATA] > 2 || (p[ELF_OSABI] != 0 && p[ELF_OSABI] != 3))
		return cause_set(
		    c, -ERR_TYPE, "%s is not a program for Linux", f->path);
	wide = p[ELF_CLASS] == 2;
	big = p[ELF_DATA] == 2;
	type = (unsigned)number_at(p + ELF_TYPE, 2, big);
	number = (unsigned)number_at(p + ELF_MACHINE, 2, big);
	for (i = 0; i < ARRAY_LEN(machines); i++)
		if (machines[i].number == number && machines[i].wide == wide &&
		    machines[i].big == big)
			f->machine = machines[i].name;
	if ((type != 2 && type != 3) || f->machine == NULL)
		return cause_set(c, -ERR_TYPE,
		    "%s is a program for an unknown architecture (%u)", f->path,
		    number);
	f->needs_libs = has_loader(p, n, wide, big);
	return 0;
}

int
deploy_file_look(
    struct deploy_file *f, const void *p, size_t n, struct cause *c)
{
	const char *mark, *end = (const char *)p + n;
	uint8_t sum[SSP_SHA256_LEN];
	size_t i, len;
	int r;

	f->machine = NULL;
	if ((r = look_header(f, p, n, c)) != 0)
		return r;
	mark = memmem(p, n, deploy_mark, DEPLOY_MARK_NAME);
	len =
	    mark == NULL ? 0 : strnlen(mark, MIN_OF((size_t)(end - mark), 64u));
	if (mark == NULL || len == 64 || mark + len == end)
		return cause_set(c, -ERR_VERSION, "%s is not rmux", f->path);
	if (strcmp(mark, deploy_mark) != 0) {
		char *v = str_plain_new(
		    mark + DEPLOY_MARK_NAME, len - DEPLOY_MARK_NAME, 64);

		r = cause_set(c, -ERR_VERSION,
		    "%s is rmux %s, and this is rmux %s", f->path, v,
		    PACKAGE_VERSION);
		mem_free(v);
		return r;
	}
	f->size = n;
	ssp_sha256(sum, p, n);
	for (i = 0; i < sizeof(sum); i++)
		snprintf(f->sum + 2 * i, 3, "%02x", sum[i]);
	return 0;
}

int
deploy_file_read(
    const char *path, struct deploy_file *f, char **data, struct cause *c)
{
	char *bytes;
	size_t n;
	int r;

	memset(f, 0, sizeof(*f));
	if (data != NULL)
		*data = NULL;
	if (str_copy(f->path, path, sizeof(f->path)) >= sizeof(f->path))
		return cause_set(c, -ERR_LIMIT, "a path is too long: %s", path);
	if ((r = sys_read_file(path, DEPLOY_FILE_MAX, &bytes, &n, c)) != 0)
		return r;
	r = deploy_file_look(f, bytes, n, c);
	if (r == 0 && data != NULL)
		*data = bytes;
	else
		mem_free(bytes);
	return r;
}

bool
deploy_file_fits(const struct deploy_file *f, const char *machine)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(machines); i++)
		if (strcmp(machines[i].name, f->machine) == 0)
			break;
	return i < ARRAY_LEN(machines) &&
	       (strcmp(machines[i].name, machine) == 0 ||
		   strcmp(machines[i].also, machine) == 0);
}
