#include "client/join.h"

#include <sys/socket.h>

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "client/trust.h"

static int
join_usage(void)
{
	fprintf(stderr, "usage: rmux join [--allow LIST] [--family inet|inet6] "
			"[--name NAME]\n"
			"            [--sandbox auto|require|off] TICKET\n"
			"       rmux join [options] -\n");
	return 1;
}

/* Reads a line of standard input, so that a ticket need not be an argument. */
static bool
read_ticket(char *out, size_t size)
{
	if (isatty(STDIN_FILENO))
		fprintf(stderr, "ticket: ");
	if (fgets(out, (int)size, stdin) == NULL)
		return false;
	out[strcspn(out, "\r\n")] = '\0';
	return true;
}

static const char *
own_name(void)
{
	const char *name = getenv("USER");
	struct passwd *pw;

	if (name != NULL && *name != '\0')
		return name;
	pw = getpwuid(getuid());
	return pw == NULL ? "guest" : pw->pw_name;
}

/*
 * Returns the value of "--name=x" or "--name x"; NULL if the word is another
 * option.
 */
static const char *
option_value(char **argv, size_t *i, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(argv[*i], name, n) != 0)
		return NULL;
	if (argv[*i][n] == '=')
		return argv[*i] + n + 1;
	return argv[*i][n] == '\0' && argv[*i + 1] != NULL ? argv[++*i] : NULL;
}

/*
 * Parses the options. Returns the word of the ticket, or NULL after an error.
 */
static char *
join_parse(char **argv, struct roam_cfg *cfg)
{
	char *word = NULL;
	const char *v;
	size_t i;

	for (i = 0; argv[i] != NULL; i++) {
		if (strncmp(argv[i], "--", 2) != 0) {
			if (word != NULL)
				return NULL;
			word = argv[i];
		} else if ((v = option_value(argv, &i, "--name")) != NULL)
			cfg->name = v;
		else if ((v = option_value(argv, &i, "--allow")) != NULL) {
			if (!trust_allow_parse(v, &cfg->allow))
				return NULL;
		} else if ((v = option_value(argv, &i, "--sandbox")) != NULL) {
			if (!confine_mode_parse(v, &cfg->sandbox))
				return NULL;
		} else if ((v = option_value(argv, &i, "--family")) != NULL &&
			   (strcmp(v, "inet") == 0 || strcmp(v, "inet6") == 0))
			cfg->family =
			    strcmp(v, "inet") == 0 ? AF_INET : AF_INET6;
		else
			return NULL;
	}
	return word;
}

int
join_run(char **argv, struct roam_cfg *cfg)
{
	char line[SSP_TICKET_TEXT_MAX];
	struct ssp_ticket t;
	char *word, *text;
	size_t n;
	int r;

	/* security: the host may be anybody. */
	cfg->allow = 0;
	text = word = join_parse(argv, cfg);
	if (word == NULL)
		return join_usage();
	if (strcmp(word, "-") == 0) {
		if (!read_ticket(line, sizeof(line)))
			return join_usage();
		text = line;
		/* The user may paste the whole line of the invitation. */
		if (strncmp(text, "rmux join ", 10) == 0)
			text += 10;
	}
	n = strlen(text);
	r = ssp_ticket_parse(text, n, &t);
	/* security: other users of this machine could read it from /proc. */
	mem_wipe(text, n);
	if (r != 0) {
		fprintf(stderr,
		    "rmux: this is not a ticket: copy the whole line "
		    "that rmux invite printed\n");
		return 1;
	}
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		ssp_ticket_wipe(&t);
		fprintf(stderr, "open terminal failed: not a terminal\n");
		return 1;
	}
	if (cfg->name == NULL)
		cfg->name = own_name();
	cfg->ticket = &t;
	r = roam_run(cfg);
	cfg->ticket = NULL;
	ssp_ticket_wipe(&t);
	return r;
}
