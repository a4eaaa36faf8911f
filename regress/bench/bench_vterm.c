/* libvterm with its screen layer, as an application would use it. */
#include <vterm.h>

#include "regress/bench/bench_term.h"

static void *
vterm_bench_new(unsigned cols, unsigned rows, size_t history)
{
	VTerm *vt = vterm_new((int)rows, (int)cols);
	VTermScreen *screen = vterm_obtain_screen(vt);

	(void)history;
	vterm_set_utf8(vt, 1);
	vterm_screen_enable_altscreen(screen, 1);
	vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_SCROLL);
	vterm_screen_reset(screen, 1);
	return vt;
}

static void
vterm_bench_write(void *t, const uint8_t *p, size_t n)
{
	char reply[4096];
	VTerm *vt = t;

	vterm_input_write(vt, (const char *)p, n);
	vterm_screen_flush_damage(vterm_obtain_screen(vt));
	while (vterm_output_read(vt, reply, sizeof(reply)) > 0)
		;
}

static void
vterm_bench_free(void *t)
{
	vterm_free(t);
}

const struct bench_term bench_vterm = {
	"libvterm",
	vterm_bench_new,
	vterm_bench_write,
	vterm_bench_free,
};
