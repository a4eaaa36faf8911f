#include "mux/mode/clock.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/glyphs.h"
#include "mux/mode/mode.h"
#include "mux/window.h"

static bool
has_seconds(int64_t style)
{
	return style == CLOCK_MODE_STYLE_12_WITH_SECONDS ||
	       style == CLOCK_MODE_STYLE_24_WITH_SECONDS;
}

/* "15:04", " 3:04 PM", with seconds "15:04:05". */
static char *
clock_text_new(int64_t style, const struct tm *tm)
{
	const bool day = style == CLOCK_MODE_STYLE_24 ||
			 style == CLOCK_MODE_STYLE_24_WITH_SECONDS;
	const int hour = tm->tm_hour % 12;
	char seconds[8] = "";

	if (has_seconds(style))
		(void)snprintf(seconds, sizeof(seconds), ":%02d",
		    CLAMP(tm->tm_sec, 0, 60));
	if (day)
		return mem_printf(
		    "%02d:%02d%s", tm->tm_hour, tm->tm_min, seconds);
	return mem_printf("%2d:%02d%s %s", hour == 0 ? 12 : hour, tm->tm_min,
	    seconds, tm->tm_hour >= 12 ? "PM" : "AM");
}

static void
clock_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	const struct options *o = &m->pane->window->options;
	const int64_t style = options_number(o, OPTION_CLOCK_MODE_STYLE);
	const colour shade =
	    paint->window_colour(paint->arg, m->pane, OPTION_CLOCK_MODE_COLOUR);
	const int64_t step = has_seconds(style) ? 1000 : 60000;
	/* As in tmux, terminals without colours show the digits, too. */
	const struct pen block = { .fg = shade, .bg = shade };
	const struct pen plain = { .fg = shade };
	char *text = clock_text_new(style, &paint->local);
	const unsigned n = (unsigned)strlen(text);

	m->due = mono_add(paint->now, (mono_ms)(step - paint->wall % step));
	if (f->cols >= n * GLYPH_STEP && f->rows > GLYPH_H)
		glyphs_draw(f, f->cols / 2 - n * GLYPH_STEP / 2,
		    f->rows / 2 - 3, text, '#', &block);
	else if (f->cols >= n)
		(void)vt_frame_text(f, paint->graphemes, f->cols / 2 - n / 2,
		    f->rows / 2, f->cols, text, n, &plain);
	mem_free(text);
}

static enum mode_did
clock_key(UNUSED struct mode *m, UNUSED const struct key_event *key)
{
	return MODE_LEFT;
}

static enum mode_did
clock_mouse(UNUSED struct mode *m, const struct mouse_event *ev)
{
	return ev->action == MOUSE_MOTION && ev->button == MOUSE_NONE
		   ? MODE_TAKEN
		   : MODE_LEFT;
}

static void
clock_free(struct mode *m)
{
	mem_free(m);
}

static const struct mode_ops clock_ops = {
	.name = "clock-mode",
	.draw = clock_draw,
	.key = clock_key,
	.mouse = clock_mouse,
	.free = clock_free,
};

int
mode_clock_open(struct pane *p)
{
	struct mode *m = mem_zalloc(sizeof(*m));
	int r = mode_push(p, m, &clock_ops);

	if (r != 0)
		mem_free(m);
	return r == -ERR_EXISTS ? 0 : r;
}
