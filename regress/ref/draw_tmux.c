/*
 * draw_tmux.c - draws each line of a file in a number of columns, as text.
 *
 *   draw_tmux COLUMNS <LIST
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/format_draw.h"

int
main(int argc, char **argv)
{
	static const struct pen base = { 0, 0, 0, 0 };
	struct grapheme_table *widths = grapheme_table_new(NULL);
	struct format_drawn d;
	char line[4096];
	size_t i, n;

	if (argc != 2)
		return 99;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\0' || line[0] == '~')
			continue;
		format_draw(
		    &d, widths, &base, line, strlen(line), atoi(argv[1]));
		for (i = n = 0; i < d.run_count; i++)
			n += d.runs[i].len;
		/* As capture-pane does: no blanks at the end. */
		while (n > 0 && d.text[n - 1] == ' ')
			n--;
		printf("%.*s\n", (int)n, d.text);
		format_drawn_fini(&d);
	}
	grapheme_table_free(widths);
	return 0;
}
