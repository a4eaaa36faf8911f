#include "client/cp/progress.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/str.h"

#define PROGRESS_MS 200     /* between two lines */
#define PROGRESS_WEIGHT 0.2 /* of the newest rate */
#define PROGRESS_TAIL 36    /* columns behind the name */

void
cp_progress_init(struct cp_progress *p, mono_ms now)
{
	memset(p, 0, sizeof(*p));
	p->began = p->last = now;
}

/* Writes "12.3 MB". */
static void
amount(double n, char *out, size_t size)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t i = 0;

	while (n >= 1000 && i < ARRAY_LEN(units) - 1) {
		n /= 1000;
		i++;
	}
	snprintf(out, size, i == 0 ? "%.0f %s" : "%.1f %s", n, units[i]);
}

static void
duration(double s, char *out, size_t size)
{
	const unsigned long n = s < 1e8 ? (unsigned long)(s + 0.5) : 0;

	if (n >= 3600)
		snprintf(out, size, "%lu:%02lu:%02lu", n / 3600, n / 60 % 60,
		    n % 60);
	else
		snprintf(out, size, "%lu:%02lu", n / 60, n % 60);
}

/* Writes NAME in exactly COLUMNS cells; returns the bytes. */
static size_t
name_fit(const struct grapheme_table *gt, const char *name, unsigned columns,
    char out[CP_LINE_MAX])
{
	char plain[CP_LINE_MAX / 2];
	size_t len, used, n = 0;
	unsigned at = 0;
	int width;

	/* security: another machine chose the name; it shall not steer the tty. */
	len = str_printable(plain, sizeof(plain), name, strlen(name), 200);
	while (n < len) {
		used = grapheme_next(
		    gt, (const uint8_t *)plain + n, len - n, &width);
		if (at + (unsigned)width > columns)
			break;
		n += used;
		at += (unsigned)width;
	}
	memcpy(out, plain, n);
	memset(out + n, ' ', columns - at);
	return n + columns - at;
}

void
cp_progress_line(const struct cp_progress *p, const struct grapheme_table *gt,
    mono_ms now, const char *name, unsigned width, char out[CP_LINE_MAX])
{
	char rate[32] = "", left[32] = "";
	unsigned share = 0, room;
	size_t n;

	if (p->bytes > 0)
		share = (unsigned)(100.0 * (double)p->done / (double)p->bytes);
	room = width > PROGRESS_TAIL + 8 ? width - PROGRESS_TAIL : 8;
	n = name_fit(gt, name, MIN_OF(room, 200u), out);
	n += (size_t)snprintf(
	    out + n, CP_LINE_MAX - n, " %3u%%  ", MIN_OF(share, 100u));
	if (now >= p->last + CP_STILL_MS) {
		duration((double)(now - p->last) / 1000, left, sizeof(left));
		snprintf(out + n, CP_LINE_MAX - n, "no progress for %s", left);
		return;
	}
	if (p->rate > 0) {
		amount(p->rate, rate, sizeof(rate));
		if (p->bytes > p->done)
			duration((double)(p->bytes - p->done) / p->rate, left,
			    sizeof(left));
	}
	snprintf(out + n, CP_LINE_MAX - n, "%9s/s  %8s left", rate, left);
}

bool
cp_progress_add(struct cp_progress *p, mono_ms now, uint64_t n, bool moved)
{
	double rate;

	p->done += n;
	if (moved)
		p->moved += n;
	if (now < p->last + PROGRESS_MS)
		return false;
	rate =
	    (double)(p->moved - p->last_moved) * 1000 / (double)(now - p->last);
	p->rate =
	    p->rate > 0 ? p->rate + PROGRESS_WEIGHT * (rate - p->rate) : rate;
	p->last = now;
	p->last_moved = p->moved;
	return true;
}

void
cp_progress_sum(const struct cp_progress *p, mono_ms now, char out[CP_LINE_MAX])
{
	const double s = (double)(now - p->began) / 1000;
	char all[32], moved[32], rate[32];

	amount((double)p->done, all, sizeof(all));
	amount((double)p->moved, moved, sizeof(moved));
	amount(s > 0 ? (double)p->moved / s : 0, rate, sizeof(rate));
	snprintf(out, CP_LINE_MAX,
	    "%llu file%s, %s (%s copied in %.1f s, %s/s)",
	    (unsigned long long)p->files_done, p->files_done == 1 ? "" : "s",
	    all, moved, s, rate);
}
