#include "client/newcomer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "client/args.h"

/* Returns whether the command is one word that could be a host. */
static bool
is_host(const struct client_args *a)
{
	static const char chars[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    ".-_@:[]";
	const char *word = a->argv[0];

	return !a->as_tmux && a->host == NULL && word != NULL &&
	       a->argv[1] == NULL && word[0] != '-' &&
	       word[strspn(word, chars)] == '\0';
}

static void
suggest_host(const struct client_args *a)
{
	if (is_host(a))
		fprintf(stderr, "if %s is a host: rmux attach %s\n", a->argv[0],
		    a->argv[0]);
}

void
newcomer_no_server(const struct client_args *a, bool unknown)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (unknown)
		suggest_host(a);
	else
		fprintf(stderr, "rmux new-session starts one\n");
}

void
newcomer_failed(const struct client_args *a, const char *said)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (str_starts(said, "unknown command: ") &&
	    strstr(said, "did you mean") == NULL)
		suggest_host(a);
	else if (strcmp(said, "no sessions") == 0 && !a->as_tmux)
		fprintf(stderr, "rmux new-session starts one\n");
}

bool
newcomer_command(const char **words, const char *const *command)
{
	size_t n = 1, i;
	char flag;

	words[0] = "new-session";
	for (; words[n] != NULL; n++) {
		flag = words[n][1];
		if (strchr("ctE", flag) == NULL || words[n][0] != '-' ||
		    (flag == 'E' && words[n][2] != '\0')) {
			fprintf(stderr,
			    "rmux: %s does not go with a command: attach "
			    "[-E] [-c directory] [-t new-session] host -- "
			    "command\n",
			    words[n]);
			return false;
		}
		if (flag == 't' && words[n][2] != '\0') {
			fprintf(stderr,
			    "rmux: put a space between -t and the name of the "
			    "new session\n");
			return false;
		}
		if (flag == 't')
			words[n] = "-s";
		if (flag != 'E' && words[n][2] == '\0' && words[n + 1] != NULL)
			n++;
	}
	words[n++] = "--";
	for (i = 0; command[i] != NULL; i++)
		words[n++] = command[i];
	words[n] = NULL;
	return true;
}
