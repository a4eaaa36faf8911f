/*
 * manual_tables SECTION - prints one table of the manual, in mdoc, from the
 * rows that the program itself uses.  scripts/manual.sh puts it between the
 * marks in the pages of doc/; scripts/check-manual.sh says when they differ.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "conf/command.h"
#include "conf/command_flag.h"
#include "conf/option_table.h"
#include "mux/fmt/vars.h"
#include "mux/vt/term.h"

/* --- words ------------------------------------------------------------------ */

/* N bytes of text as roff wants them. */
static void
put_some(const char *s, size_t n)
{
	for (; n > 0; n--, s++)
		switch (*s) {
		case '\\':
			fputs("\\e", stdout);
			break;
		case '"':
			fputs("\\(dq", stdout);
			break;
		case '^':
			fputs("\\(ha", stdout);
			break;
		case '~':
			fputs("\\(ti", stdout);
			break;
		case '`':
			fputs("\\(ga", stdout);
			break;
		case '\'':
			fputs("\\(aq", stdout);
			break;
		default:
			putchar(*s);
		}
}

/* The same for formats of any length: a line may end behind } and comma. */
static void
put_format(const char *s, size_t n)
{
	for (; n > 0; n--, s++) {
		put_some(s, 1);
		if (n > 1 && (*s == '}' || *s == ','))
			fputs("\\:", stdout);
	}
}

/* The same for a whole line: no control character at its front. */
static void
put_text(const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	put_some(s, strlen(s));
}

/* One quoted argument of a macro, which is no macro or punctuation itself. */
static void
put_arg(const char *s)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	fputs(strlen(s) <= 3 || strchr(plain, *s) == NULL ? " \"\\&" : " \"",
	    stdout);
	put_text(s);
	putchar('"');
}

/* A help text as a sentence: a capital and a full stop. */
static void
put_sentence(const char *help)
{
	char first[2] = { help[0], '\0' };

	if (first[0] >= 'a' && first[0] <= 'z' && help[1] != ' ' &&
	    strncmp(help, "name=", 5) != 0)
		first[0] = (char)(first[0] - 'a' + 'A');
	put_text(first);
	put_text(help + 1);
	puts(help[strlen(help) - 1] == '.' ? "" : ".");
}

static void
put_item(const char *name, const char *help)
{
	fputs(".It Li", stdout);
	put_arg(name);
	putchar('\n');
	put_text(help);
	putchar('\n');
}

/* --- commands ------------------------------------------------------------------ */

/* A text with names of flags and options: no line ends within them. */
static void
put_phrase(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s == '-')
			fputs("\\-", stdout);
		else
			put_some(s, 1);
}

/* A list within the item of the command. */
static void
put_flags(const struct command_row *row)
{
	const struct command_flag_row *rows;
	size_t i, n;

	rows = command_flag_rows(row->id, &n);
	if (n > 0)
		puts(".Bl -tag -width Ds -compact");
	for (i = 0; i < n; i++) {
		printf(".It");
		if (rows[i].flag != '\0')
			printf(" Fl %c", rows[i].flag);
		if (*rows[i].argument != '\0')
			printf(" Ar %s", rows[i].argument);
		putchar('\n');
		put_phrase(rows[i].text);
		putchar('\n');
	}
	if (n > 0)
		puts(".El");
}

static void
commands(void)
{
	const struct command_row *row;
	int i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		printf(".It Xo Ic %s\n", row->name);
		if (*row->usage != '\0') {
			fputs(".Li \"", stdout);
			put_text(row->usage);
			puts("\"");
		}
		puts(".Xc");
		if (row->alias != NULL)
			printf(".Pq alias: Ic %s\n", row->alias);
		put_sentence(row->help);
		if (row->when == COMMAND_LATER)
			puts("Not built yet.");
		put_flags(row);
	}
}

/* --- options ------------------------------------------------------------------- */

static void
put_option_value(const struct option_row *row)
{
	const char *p, *end;

	if (row->type == OPTION_NUMBER) {
		fputs(" Ar number", stdout);
	} else if (row->type == OPTION_FLAG) {
		fputs(" Cm on | off", stdout);
	} else if (row->type == OPTION_CHOICE) {
		for (p = row->choices; *p != '\0'; p = end) {
			end = p + strcspn(p, ",");
			printf("%s Cm %.*s", p == row->choices ? "" : " |",
			    (int)(end - p), p);
			end += *end == ',';
		}
	} else {
		printf(" Ar %s", option_type_name(row->type));
	}
	putchar('\n');
}

static void
put_default(const struct option_row *row)
{
	const char *p = row->text, *end;

	if (*p == '\0') {
		puts("Empty by default.");
		return;
	}
	if (strchr(p, '\n') == NULL && strlen(p) < 60) {
		fputs("Default:\n.Ql", stdout);
		put_arg(p);
		puts(" .");
		return;
	}
	/* Long ones are filled: nobody's page is so wide. */
	puts("Default:");
	for (; *p != '\0'; p = end) {
		size_t n = strcspn(p, "\n");

		fputs(".br\n.Li \"\\&", stdout);
		put_format(p, n);
		puts("\"");
		end = p + n + (p[n] == '\n');
	}
}

static void
options_of(unsigned scope, bool hooks)
{
	const struct option_row *row;
	int i;

	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		if (((row->flags & OPT_HOOK) != 0) != hooks ||
		    (!hooks && (row->scope & scope) == 0))
			continue;
		printf(".It Ic %s%s", row->name,
		    (row->flags & OPT_ARRAY) != 0 && !hooks ? " Ns []" : "");
		if (hooks) {
			putchar('\n');
			put_sentence(row->help);
			continue;
		}
		put_option_value(row);
		put_sentence(row->help);
		if (row->type == OPTION_NUMBER && row->max != INT32_MAX)
			printf("From %lld to %lld%s%s.\n", (long long)row->min,
			    (long long)row->max, *row->unit == '\0' ? "" : " ",
			    row->unit);
		else if (*row->unit != '\0')
			printf("In %s.\n", row->unit);
		if ((row->scope & OPT_PANE) != 0)
			puts("May be set for one pane.");
		if ((row->flags & OPT_PERSON) != 0)
			puts("May be a client's own.");
		put_default(row);
	}
}

static void
options_server(void)
{
	options_of(OPT_SERVER, false);
}

static void
options_session(void)
{
	options_of(OPT_SESSION, false);
}

static void
options_window(void)
{
	options_of(OPT_WINDOW, false);
}

static void
hooks(void)
{
	options_of(0, true);
}

/* --- formats --------------------------------------------------------------------- */

static void
put_variable(UNUSED void *arg, const char *name, const char *help)
{
	put_item(name, help);
}

static void
variables(void)
{
	vars_each(put_variable, NULL);
}

/* clang-format off */
static void
modifiers(void)
{
#define X(name, args, stage, fn, help) \
 put_item(name, (args) ? help "; takes arguments" : help);
#include "conf/format_mod.def"
#undef X
}

/* --- keys and the rest ----------------------------------------------------------- */

static void
keys(void)
{
#define X(name, text) printf(".Ic %s\n", text);
#include "base/key.def"
#undef X
}

static void
mouse(void)
{
	puts("Kinds:");
#define KIND(name, text, button) \
 printf(".Ic %s%s\n", text, (button) ? " Ns Ar N" : "");
#include "base/key_mouse.def"
	puts(".Pp\nPlaces:");
#define PLACE(name, text) printf(".Ic %s\n", text);
#include "base/key_mouse.def"
}

static void
features(void)
{
#define X(name, text, help) put_item(text, help);
#include "client/term/caps.def"
#undef X
}

static void
layouts(void)
{
#define X(id, name, fn, mirrored, help) put_item(name, help);
#include "mux/layout_preset.def"
#undef X
}

static void
refused(void)
{
#define X(seq, example, why) put_item(seq, why);
#include "mux/vt/refused.def"
#undef X
}

static void
modes_fixed(void)
{
#define X(mn, priv, num, def, setter, grp, help)
#define F(mn, priv, num, answer)                                        \
 printf(".It Li \"CSI %s%d h\" Ta Tn %s Ta always %s\n",                \
     (priv) ? "? " : "", num, #mn, (answer) == 3 ? "set" : "reset");
#include "mux/vt/mode.def"
#undef X
#undef F
}
/* clang-format on */

/* --- control functions ------------------------------------------------------------ */

static void
put_row(void *arg, const char *family, const char *mnemonic, const char *seq,
    const char *help)
{
	const char *wanted = arg;

	if (strcmp(family, wanted) != 0)
		return;
	fputs(".It Li", stdout);
	put_arg(seq);
	printf(" Ta Tn %s Ta", mnemonic);
	put_arg(help);
	putchar('\n');
}

/* clang-format off */
#define FAMILY(name) \
 static void ctl_##name(void) \
 { \
	char family[] = #name; \
	vt_term_each_row(put_row, family); \
 }
FAMILY(c0) FAMILY(esc) FAMILY(csi) FAMILY(osc) FAMILY(dcs) FAMILY(mode)
FAMILY(sgr)

static const struct {
	const char *name;
	void (*fn)(void);
} sections[] = {
	{ "commands", commands },
	{ "options-server", options_server },
	{ "options-session", options_session },
	{ "options-window", options_window },
	{ "hooks", hooks },
	{ "variables", variables },
	{ "modifiers", modifiers },
	{ "keys", keys },
	{ "mouse", mouse },
	{ "features", features },
	{ "layouts", layouts },
	{ "c0", ctl_c0 },
	{ "esc", ctl_esc },
	{ "csi", ctl_csi },
	{ "osc", ctl_osc },
	{ "dcs", ctl_dcs },
	{ "modes", ctl_mode },
	{ "modes-fixed", modes_fixed },
	{ "sgr", ctl_sgr },
	{ "refused", refused },
};
/* clang-format on */

int
main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 2 && i < ARRAY_LEN(sections); i++)
		if (strcmp(argv[1], sections[i].name) == 0) {
			sections[i].fn();
			return 0;
		}
	for (i = 0; argc == 1 && i < ARRAY_LEN(sections); i++)
		puts(sections[i].name);
	return argc == 1 ? 0 : 2;
}
