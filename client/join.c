#include "client/join.h"

#include <sys/socket.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/args.h"
#include "client/trust.h"

static int
join_usage(void)
{
	fprintf(stderr, "usage: rmux join [--allow LIST] [--family inet|inet6] "
			"[--me yes|no]\n"
			"                 [--name NAME] [--post-quantum "
			"require|auto]\n"
			"                 [--sandbox auto|require|off] "
			"[--verify] TICKET\n"
			"       rmux join [options] HOST[:PORT] WORD...\n"
			"       rmux join [options] -\n");
	return 1;
}

/*
 * Reads a line of standard input, so that a ticket need not be an argument.
 * security: without stdio, whose buffer would keep it.
 */
static bool
read_ticket(char *out, size_t size)
{
	size_t n = 0;
	ssize_t got;

	if (isatty(STDIN_FILENO))
		fprintf(stderr, "ticket: ");
	while (n < size - 1) {
		got = read(STDIN_FILENO, out + n, 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || out[n] == '\n')
			break;
		n++;
	}
	out[n] = '\0';
	out[strcspn(out, "\r")] = '\0';
	return n > 0;
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
 * Parses the options. Moves the words of the ticket to the front of ARGV and
 * returns their number; 0 after an error.
 */
static size_t
join_parse(char **argv, struct roam_cfg *cfg)
{
	const char *v;
	size_t i, n = 0;

	for (i = 0; argv[i] != NULL; i++) {
		if (strncmp(argv[i], "--", 2) != 0)
			argv[n++] = argv[i];
		else if (strcmp(argv[i], "--verify") == 0)
			cfg->verify = true;
		else if ((v = option_value(argv, &i, "--name")) != NULL)
			cfg->name = v;
		else if ((v = option_value(argv, &i, "--allow")) != NULL) {
			if (!trust_allow_parse(v, &cfg->allow))
				return 0;
		} else if ((v = option_value(argv, &i, "--post-quantum")) !=
			   NULL) {
			if (!client_args_post_quantum(v, &cfg->post_quantum))
				return 0;
		} else if ((v = option_value(argv, &i, "--pace")) != NULL) {
			if (!client_args_pace(v, &cfg->pace))
				return 0;
		} else if ((v = option_value(argv, &i, "--paths")) != NULL) {
			if (!client_args_paths(v, &cfg->paths))
				return 0;
		} else if ((v = option_value(argv, &i, "--interface")) !=
			   NULL) {
			if (!client_args_interface(v, &cfg->interfaces))
				return 0;
		} else if ((v = option_value(argv, &i, "--sandbox")) != NULL) {
			if (!confine_mode_parse(v, &cfg->sandbox))
				return 0;
		} else if ((v = option_value(argv, &i, "--me")) != NULL) {
			if (!me_file_mode(v, &cfg->me))
				return 0;
		} else if ((v = option_value(argv, &i, "--family")) != NULL &&
			   (strcmp(v, "inet") == 0 || strcmp(v, "inet6") == 0))
			cfg->family =
			    strcmp(v, "inet") == 0 ? AF_INET : AF_INET6;
		else
			return 0;
	}
	return n;
}

/*
 * Joins N words to a line.
 * security: wipes them, because other users of this machine could read them
 * from /proc.
 */
static bool
join_words(char **words, size_t n, char *line, size_t size)
{
	size_t i, len, at = 0;
	bool fits = true;

	for (i = 0; i < n; i++) {
		len = strlen(words[i]);
		fits = fits && len + 2 < size - at;
		if (fits) {
			if (i > 0)
				line[at++] = ' ';
			memcpy(line + at, words[i], len);
			at += len;
		}
		mem_wipe(words[i], len);
	}
	line[at] = '\0';
	return fits;
}

/* Parses a ticket that was spoken, and says what is wrong with it. */
static int
hear_ticket(const char *text, struct ssp_ticket *t)
{
	unsigned wrong;

	if (ssp_ticket_hear(text, t, &wrong) == 0)
		return 0;
	if (wrong == 0)
		fprintf(stderr, "rmux: the first word of the ticket is not "
				"an address: use HOST or HOST:PORT\n");
	else if (wrong <= SSP_TICKET_WORDS)
		fprintf(stderr,
		    "rmux: word %u behind the address is missing, or not one "
		    "of rmux's words: ask for it again (there are %d, of five "
		    "letters)\n",
		    wrong, SSP_TICKET_WORDS);
	else
		fprintf(stderr,
		    "rmux: the words do not belong together: there are more "
		    "than %d, or one was misheard; ask for them again\n",
		    SSP_TICKET_WORDS);
	return 1;
}

/* Parses the ticket of the command line into T; wipes the text. */
static int
take_ticket(char **words, size_t n, struct ssp_ticket *t)
{
	char line[SSP_TICKET_TEXT_MAX];
	char *text = line;
	int r = -1;

	if (n == 1 && strcmp(words[0], "-") == 0) {
		if (!read_ticket(line, sizeof(line)))
			return join_usage();
		/* The user may paste the whole line of the invitation. */
		if (strncmp(text, "rmux join ", 10) == 0)
			text += 10;
	} else if (!join_words(words, n, line, sizeof(line)))
		text = strchr(line, '\0');
	if (strchr(text, ' ') != NULL)
		r = hear_ticket(text, t);
	else if (ssp_ticket_parse(text, strlen(text), t) == 0)
		r = 0;
	mem_wipe(line, sizeof(line));
	if (r < 0)
		fprintf(stderr, "rmux: this is not a ticket: copy the whole "
				"line that rmux invite printed\n");
	return r == 0 ? 0 : 1;
}

static int
join_with(struct roam_cfg *cfg, char **words, size_t n)
{
	int r;

	if ((r = take_ticket(words, n, cfg->ticket)) != 0)
		return r;
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		fprintf(stderr, "open terminal failed: not a terminal\n");
		return 1;
	}
	if (cfg->name == NULL)
		cfg->name = own_name();
	return roam_run(cfg);
}

int
join_run(char **argv, struct roam_cfg *cfg)
{
	struct ssp_keyring *ring;
	size_t n;
	int r;

	/* security: the host may be anybody. */
	cfg->allow = 0;
	sys_secrets_hide();
	if ((n = join_parse(argv, cfg)) == 0)
		return join_usage();
	/* The client joins again with it: keep it in locked memory. */
	ring = ssp_keyring_new(sizeof(*cfg->ticket), 1, 1);
	if (ring == NULL) {
		fprintf(stderr, "rmux: no memory for keys\n");
		return 1;
	}
	cfg->ticket = ssp_keyring_take(ring);
	r = join_with(cfg, argv, n);
	ssp_keyring_give(ring, cfg->ticket);
	cfg->ticket = NULL;
	ssp_keyring_free(ring);
	return r;
}
