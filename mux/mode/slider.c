#include "mux/mode/slider.h"

#include "base/compiler.h"

static struct slider
slider_clamp(unsigned rows, uint64_t at, uint64_t size)
{
	struct slider s = { 0, 0 };

	if (rows == 0)
		return s;
	s.size = (unsigned)MAX_OF(size, (uint64_t)1);
	s.at = (unsigned)MIN_OF(at, (uint64_t)rows - 1);
	s.size = MIN_OF(s.size, rows - s.at);
	return s;
}

static uint64_t
slider_size(unsigned rows, uint64_t history)
{
	return rows == 0 ? 0 : (uint64_t)rows * rows / (history + rows);
}

struct slider
slider_end(unsigned rows, uint64_t history)
{
	const uint64_t size = slider_size(rows, history);

	return slider_clamp(rows, rows - size, size);
}

struct slider
slider_within(unsigned rows, uint64_t history, uint64_t above)
{
	const uint64_t size = slider_size(rows, history);

	/* tmux counts one row more, so that the end is reached early. */
	return slider_clamp(rows,
	    ((uint64_t)rows + 1) * MIN_OF(above, history) /
		MAX_OF(history + rows, (uint64_t)1),
	    size);
}

uint64_t
slider_above(unsigned rows, uint64_t history, int at)
{
	const int last =
	    (int)rows - (int)MAX_OF(slider_size(rows, history), (uint64_t)1);
	uint64_t above;

	if (rows == 0 || at <= 0)
		return 0;
	if (at >= last)
		return history;
	above = (uint64_t)at * (history + rows) / rows;
	return MIN_OF(above, history);
}
