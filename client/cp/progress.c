#include "client/cp/progress.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"

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

void
cp_progress_line(const struct cp_progress *p, const char *name, unsigned width,
    char out[CP_LINE_MAX])
{
	char rate[32] = "", left[32] = "", plain[256];
	unsigned share = 0, room;
	size_t i;

	if (p->bytes > 0)
		share = (unsigned)(100.0 * (double)p->done / (double)p->bytes);
	if (p->rate > 0) {
		amount(p->rate, rate, sizeof(rate));
		if (p->bytes > p->done)
			duration((double)(p->bytes - p->done) / p->rate, left,
			    sizeof(left));
	}
	/* Names of another machine: no control characters. */
	snprintf(plain, sizeof(plain), "%s", name);
	for (i = 0; plain[i] != '\0'; i++)
		if ((unsigned char)plain[i] < 32 || plain[i] == 127 ||
		    (unsigned char)plain[i] == 0xc2)
			plain[i] = '?';
	room = width > PROGRESS_TAIL + 8 ? width - PROGRESS_TAIL : 8;
	room = MIN_OF(room, 200u);
	snprintf(out, CP_LINE_MAX, "%-*.*s %3u%%  %9s/s  %8s left", (int)room,
	    (int)room, plain, MIN_OF(share, 100u), rate, left);
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
	snprintf(out, CP_LINE_MAX, "%llu files, %s (%s copied in %.1f s, %s/s)",
	    (unsigned long long)p->files_done, all, moved, s, rate);
}
