#include "client/cp/cp.h"

#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/args.h"
#include "client/cp/send.h"
#include "client/cp/take.h"
#include "client/cp/wire.h"
#include "client/exec.h"

/* Words of the command there, beside paths. */
#define CP_WORDS 8
/* Options of ssh, which rmux exec takes. */
#define CP_SSH "46v"
#define CP_SSH_VALUES "FiJoP"

struct cp {
	struct client_args *a;
	bool recurse;
	bool keep;
	bool quiet;
	bool down;         /* from the other machine */
	char *host;        /* [user@]host; NULL: not known yet */
	const char *to;    /* as given, without the host */
	const char **from; /* NULL-terminated; without the host */
	size_t nfrom;
	const char **options; /* of rmux exec, NULL-terminated */
	size_t noptions;
	char **owned; /* copies of words */
	size_t nowned;
};

static int
cp_usage(void)
{
	fprintf(stderr,
	    "usage: rmux cp [-pqr] [-P port] [-i key] [-o option] [-F file] "
	    "[-J jump] source ... target\n"
	    "       where either the sources or the target are "
	    "[user@]host:path\n");
	return 1;
}

static const char *
cp_own(struct cp *k, char *text)
{
	k->owned = mem_resize(k->owned, k->nowned + 1, sizeof(*k->owned));
	return k->owned[k->nowned++] = text;
}

/* --- words -------------------------------------------------------------------- */

/*
 * Splits "host:path", "[v6]:path", "user@host:path"; returns the path, NULL if
 * the word names a file here.  *n: bytes of the host.
 */
static const char *
place_split(const char *word, size_t *n)
{
	const char *p = word;

	if (*p == '[' || strstr(p, "@[") != NULL) {
		p = strchr(p, ']');
		if (p == NULL || p[1] != ':')
			return NULL;
		p++;
	} else {
		p += strcspn(p, ":/");
		if (*p != ':' || p == word)
			return NULL;
	}
	*n = (size_t)(p - word);
	return p + 1;
}

/* Takes the host of WORD; false: another one than before. */
static bool
cp_host(struct cp *k, const char *word, size_t n)
{
	char *host = mem_strndup(word, n);
	bool same = k->host == NULL || strcmp(k->host, host) == 0;

	if (k->host == NULL)
		k->host = host;
	else
		mem_free(host);
	return same;
}

static void
option_add(struct cp *k, const char *word)
{
	k->options =
	    mem_resize(k->options, k->noptions + 2, sizeof(*k->options));
	k->options[k->noptions++] = word;
	k->options[k->noptions] = NULL;
}

/* Takes the letters of one word; false: wrong use. */
static bool
cp_letters(void *arg, const char *const *argv, size_t *i)
{
	struct cp *k = arg;
	const char *p;
	char *word;

	for (p = argv[*i] + 1; *p != '\0'; p++) {
		if (*p == 'r' || *p == 'R') {
			k->recurse = true;
		} else if (*p == 'a') {
			k->recurse = k->keep = true;
		} else if (*p == 'p') {
			k->keep = true;
		} else if (*p == 'q') {
			k->quiet = true;
		} else if (*p == 'C') {
			/* Streams are not compressed. */
		} else if (strchr(CP_SSH, *p) != NULL) {
			word = mem_printf("-%c", *p);
			option_add(k, cp_own(k, word));
		} else if (strchr(CP_SSH_VALUES, *p) != NULL) {
			if (p[1] == '\0' && argv[*i + 1] == NULL)
				return false;
			word = mem_printf("-%c", *p == 'P' ? 'p' : *p);
			option_add(k, cp_own(k, word));
			option_add(k, p[1] != '\0' ? p + 1 : argv[++*i]);
			return true;
		} else {
			fprintf(stderr, "rmux: unknown option -%c\n", *p);
			return false;
		}
	}
	return true;
}

/* security: names that say nothing could not be compared with what comes. */
static bool
source_ok(const char *path)
{
	const char *p = path + strlen(path);

	while (p > path && p[-1] == '/')
		p--;
	if (p == path)
		return false;
	if (p[-1] != '.')
		return true;
	while (p > path && p[-1] == '.')
		p--;
	return p > path && p[-1] != '/';
}

/* Fills sources and target from the words at I; false: wrong use, told. */
static bool
cp_places(struct cp *k, size_t i)
{
	const char *const *argv = k->a->argv;
	const char *path;
	size_t n = 0, len;

	while (argv[i + n] != NULL)
		n++;
	if (n < 2) {
		(void)cp_usage();
		return false;
	}
	k->from = mem_calloc(n, sizeof(*k->from));
	path = place_split(argv[i + n - 1], &len);
	k->down = path == NULL;
	if (path != NULL)
		(void)cp_host(k, argv[i + n - 1], len);
	k->to = path == NULL ? argv[i + n - 1] : path;
	for (; n > 1; n--, i++) {
		path = place_split(argv[i], &len);
		if ((path != NULL) != k->down) {
			fprintf(stderr, "rmux: %s\n",
			    k->down ? "neither the sources nor the target are "
				      "on another machine (host:path)"
				    : "sources and target are on other "
				      "machines: one side must be here");
			return false;
		}
		if (path != NULL && !cp_host(k, argv[i], len)) {
			fprintf(stderr, "rmux: sources of two machines\n");
			return false;
		}
		if (path == NULL)
			path = argv[i];
		if (!source_ok(path)) {
			fprintf(stderr, "rmux: %s: name the folder itself\n",
			    argv[i]);
			return false;
		}
		k->from[k->nfrom++] = path;
	}
	return true;
}

/* --- the two ends --------------------------------------------------------------- */

/* Returns the names behind the last slashes of the sources (mem_free). */
static const char **
names_new(struct cp *k)
{
	const char **names = mem_calloc(k->nfrom + 1, sizeof(*names));
	size_t i;

	for (i = 0; i < k->nfrom; i++)
		names[i] = cp_own(k, cp_base_new(k->from[i]));
	return names;
}

/* The end here, on the pipes IN and OUT. */
static int
cp_here(struct cp *k, int in, int out)
{
	struct cp_user user;
	const char **names = NULL;
	int r;

	cp_user_init(&user, k->quiet);
	if (k->down) {
		names = names_new(k);
		r = cp_take(&(const struct cp_take_cfg){ .in = in,
		    .out = out,
		    .to = k->to,
		    .keep = k->keep,
		    .recurse = k->recurse,
		    .names = names,
		    .user = &user });
	} else
		r = cp_send(&(const struct cp_send_cfg){ .in = in,
		    .out = out,
		    .paths = k->from,
		    .recurse = k->recurse,
		    .user = &user });
	cp_tell_end(&user, r < 2);
	cp_user_fini(&user);
	mem_free(names);
	return r;
}

/* The process of the connection, whose standard streams are IN and OUT. */
NORETURN static void
cp_there(struct cp *k, int in, int out)
{
	const char **words, **argv;
	size_t n = 0, i;

	words = mem_calloc(k->nfrom + CP_WORDS, sizeof(*words));
	words[n++] = "__cp";
	words[n++] = k->down ? "send" : "take";
	if (k->recurse)
		words[n++] = "-r";
	if (k->keep)
		words[n++] = "-p";
	words[n++] = "--";
	if (k->down)
		for (i = 0; i < k->nfrom; i++)
			words[n++] = k->from[i];
	else
		words[n++] = k->to;
	argv = mem_calloc(k->noptions + 4, sizeof(*argv));
	argv[0] = "exec";
	for (i = 0; i < k->noptions; i++)
		argv[i + 1] = k->options[i];
	argv[i + 1] = "--";
	argv[i + 2] = k->host;
	(void)dup2(in, STDIN_FILENO);
	(void)dup2(out, STDOUT_FILENO);
	sys_close_from(3);
	k->a->argv = argv;
	k->a->no_ssh_forwards = true;
	exit(exec_words(k->a, words));
}

/* Ctrl-C: the process of the connection gets it as well. */
static void
cp_interrupted(UNUSED int signo)
{
	static const char text[] =
	    "\nrmux: interrupted; the same command goes on where it was\n";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(130);
}

static int
cp_both(struct cp *k)
{
	int up[2], down[2], status = 0, r;
	pid_t pid;

	if (pipe(up) != 0 || pipe(down) != 0 || (pid = fork()) < 0) {
		perror("rmux");
		return EXEC_FAILED;
	}
	if (pid == 0)
		cp_there(k, up[0], down[1]);
	(void)close(up[0]);
	(void)close(down[1]);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGINT, cp_interrupted);
	r = cp_here(k, down[0], up[1]);
	(void)close(down[0]);
	(void)close(up[1]);
	while (waitpid(pid, &status, 0) < 0)
		;
	if (r == 2) {
		r = WIFEXITED(status) ? WEXITSTATUS(status) : EXEC_FAILED;
		if (r != EXEC_FAILED)
			fprintf(stderr,
			    "rmux: the copy ended early; the same command "
			    "goes on where it was\n");
		r = r == 0 ? 1 : r;
	}
	return r;
}

int
cp_run(struct client_args *a)
{
	struct cp k = { .a = a };
	size_t i = 1;
	int r = 1;

	if (!client_args_options(a, a->argv, &i, cp_letters, &k))
		r = cp_usage();
	else if (cp_places(&k, i))
		r = cp_both(&k);
	while (k.nowned > 0)
		mem_free(k.owned[--k.nowned]);
	mem_free(k.owned);
	mem_free(k.options);
	mem_free(k.from);
	mem_free(k.host);
	return r;
}

int
cp_far_run(const char *const *argv)
{
	bool recurse = false, keep = false;
	size_t i = 2;

	(void)signal(SIGPIPE, SIG_IGN);
	if (argv[1] == NULL)
		return 1;
	for (; argv[i] != NULL && strcmp(argv[i], "--") != 0; i++) {
		recurse |= strcmp(argv[i], "-r") == 0;
		keep |= strcmp(argv[i], "-p") == 0;
	}
	if (argv[i] == NULL)
		return 1;
	if (strcmp(argv[1], "send") == 0)
		return cp_send(&(const struct cp_send_cfg){ .in = STDIN_FILENO,
		    .out = STDOUT_FILENO,
		    .paths = argv + i + 1,
		    .far = true,
		    .recurse = recurse });
	/* "~/x" and "": the working directory is the user's own. */
	return cp_take(&(const struct cp_take_cfg){ .in = STDIN_FILENO,
	    .out = STDOUT_FILENO,
	    .to = argv[i + 1] == NULL                  ? "."
		  : strncmp(argv[i + 1], "~/", 2) == 0 ? argv[i + 1] + 2
						       : argv[i + 1],
	    .keep = keep,
	    .recurse = recurse });
}
