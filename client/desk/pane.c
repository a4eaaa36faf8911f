#include "client/desk/pane.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/cp/send.h"
#include "client/cp/take.h"
#include "client/cp/wire.h"
#include "client/desk/frame.h"
#include "client/desk/wire.h"
#include "ssp/forward_spec.h"

/* The desk gives up before. */
#define PANE_ANSWER_MS 120000
#define PANE_NOBODY                                                           \
 "no desk: nobody is attached from another machine, or the client there has " \
 "--desk=off or is an older rmux. On this machine, cp copies"

struct desk_pane {
	struct desk_request q;
	const char *dir; /* -d */
	bool quiet;
	bool url;
	const char *const *words; /* paths, names or a URL */
	int fd;
	struct buf in; /* the last answer */
};

bool
pane_desk_is(const char *word)
{
	return word != NULL &&
	       (strcmp(word, "get") == 0 || strcmp(word, "put") == 0 ||
		   strcmp(word, "open") == 0);
}

static int
pane_usage(void)
{
	fprintf(stderr,
	    "usage: rmux get [-qr] file ...       to the machine at which you "
	    "sit\n"
	    "       rmux put [-qr] [-d dir] name ...  from it\n"
	    "       rmux open URL|file            opens it there\n");
	return 1;
}

static int
pane_fail(const char *what, const char *why)
{
	char *text = mem_printf("rmux: %s: %s", what, why);

	sys_complain(text);
	mem_free(text);
	return 1;
}

/* --- words --------------------------------------------------------------------- */

/* Takes the options; false: wrong use. */
static bool
pane_options(struct desk_pane *p, const char *const *argv)
{
	size_t i = 1;
	const char *c;

	for (; argv[i] != NULL && argv[i][0] == '-' && argv[i][1] != '\0';
	     i++) {
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		for (c = argv[i] + 1; *c != '\0'; c++) {
			if (*c == 'r' && p->q.what != DESK_OPEN)
				p->q.recurse = true;
			else if (*c == 'q')
				p->quiet = true;
			else if (*c == 'd' && p->q.what == DESK_READ) {
				p->dir = c[1] != '\0' ? c + 1 : argv[++i];
				break;
			} else
				return false;
		}
		if (argv[i] == NULL)
			return false;
	}
	p->words = argv + i;
	return argv[i] != NULL;
}

/* Counts files and bytes below PATH, for the question. */
static void
pane_count(struct desk_pane *p, const char *path, bool root)
{
	const struct dirent *e;
	struct stat st;
	char *sub;
	DIR *dir;

	if ((root ? stat(path, &st) : lstat(path, &st)) != 0)
		return;
	if (S_ISREG(st.st_mode)) {
		p->q.files++;
		p->q.bytes += (uint64_t)st.st_size;
	}
	if (!S_ISDIR(st.st_mode) || (dir = opendir(path)) == NULL)
		return;
	while ((e = readdir(dir)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		sub = mem_printf("%s/%s", path, e->d_name);
		pane_count(p, sub, false);
		mem_free(sub);
	}
	(void)closedir(dir);
}

/* Adds one word to the request; false: it cannot be, which was told. */
static bool
pane_word(struct desk_pane *p, const char *word)
{
	struct stat st;
	char *name;

	if (p->q.n == DESK_NAMES_MAX) {
		(void)pane_fail(word, "too many files at a time");
		return false;
	}
	name = p->q.what == DESK_READ || p->url ? mem_strdup(word)
						: cp_base_new(word);
	p->q.names[p->q.n++] = name;
	if (!p->url && !desk_path_ok(name)) {
		(void)pane_fail(word,
		    p->q.what == DESK_READ
			? "name a file of the folder there: no path from /, "
			  "no .., no control characters"
			: "name the file or folder itself, without control "
			  "characters");
		return false;
	}
	if (p->q.what == DESK_READ || p->url)
		return true;
	if (stat(word, &st) != 0) {
		(void)pane_fail(word, strerror(errno));
		return false;
	}
	if (S_ISDIR(st.st_mode) && !p->q.recurse) {
		(void)pane_fail(word, "a folder (-r copies folders)");
		return false;
	}
	pane_count(p, word, true);
	return true;
}

/* Two sources of one name would be one. */
static bool
pane_same(const struct desk_pane *p)
{
	size_t i, k;

	for (i = 0; i < p->q.n && p->q.what == DESK_SAVE; i++)
		for (k = 0; k < i; k++)
			if (strcmp(p->q.names[i], p->q.names[k]) == 0)
				return true;
	return false;
}

static bool
pane_words(struct desk_pane *p)
{
	size_t i;

	if (p->q.what == DESK_OPEN) {
		/* A file may have the name of a URL: "./http:". */
		p->url = strstr(p->words[0], "://") != NULL ||
			 strncmp(p->words[0], "mailto:", 7) == 0;
		if (p->url && !desk_url_ok(p->words[0])) {
			(void)pane_fail(p->words[0],
			    "http, https and mailto alone are opened there");
			return false;
		}
		if (p->words[1] != NULL) {
			(void)pane_usage();
			return false;
		}
		if (!p->url)
			p->q.what = DESK_SHOW;
	}
	for (i = 0; p->words[i] != NULL; i++)
		if (!pane_word(p, p->words[i]))
			return false;
	if (!pane_same(p))
		return true;
	(void)pane_fail("get", "two files of one name");
	return false;
}

/* --- the desk --------------------------------------------------------------------- */

static bool
pane_connect(struct desk_pane *p, const char *server)
{
	char *path = mem_printf("%s.%s", server, FORWARD_DESK);
	struct cause c = { NULL };
	int e = sock_connect(path, &p->fd, &c);

	cause_fini(&c);
	mem_free(path);
	if (e != 0)
		sys_complain("rmux: " PANE_NOBODY);
	return e == 0;
}

static bool
pane_ask(const struct desk_pane *p)
{
	struct buf b;
	int e;

	buf_init(&b, DESK_FRAME_MAX);
	desk_request_put(&b, &p->q);
	e = desk_frame_put(p->fd, &b);
	buf_fini(&b);
	if (e == -ERR_LIMIT)
		(void)pane_fail("the names", "too long");
	/* Else the answer tells. */
	return e != -ERR_LIMIT;
}

/* Waits for an answer, and prints its lines to OUT; false: it is a no. */
static bool
pane_answer(struct desk_pane *p, FILE *out, const char *closed)
{
	struct desk_answer a;
	size_t i;
	int e;

	buf_fini(&p->in);
	buf_init(&p->in, DESK_FRAME_MAX + 1);
	e = desk_frame_get(p->fd, &p->in, PANE_ANSWER_MS);
	if (e == 0)
		e = desk_answer_get(&a, p->in.data, p->in.len);
	if (e != 0) {
		sys_complain(e == -ERR_CLOSED ? closed
			     : e == -ERR_TIMEOUT
				 ? "rmux: the desk does not answer"
				 : "rmux: the desk is another "
				   "version of rmux");
		return false;
	}
	if (!a.ok) {
		char *text = mem_strndup(a.text, a.ntext);

		(void)pane_fail("refused", text);
		mem_free(text);
		return false;
	}
	for (i = 0; i < a.ntext && !p->quiet; i++)
		(void)fputc(a.text[i] == '\n' || (unsigned char)a.text[i] >= ' '
				? a.text[i]
				: '?',
		    out);
	return true;
}

/* --- the commands ------------------------------------------------------------------- */

static int
pane_send(struct desk_pane *p)
{
	struct cp_user user;
	int r;

	cp_user_init(&user, p->quiet);
	r = cp_send(&(const struct cp_send_cfg){ .in = p->fd,
	    .out = p->fd,
	    .paths = p->words,
	    .recurse = p->q.recurse,
	    .user = &user });
	cp_tell_end(&user, r < 2);
	if (r > 1) {
		sys_complain("rmux: the copy ended early: nothing is kept");
		return 1;
	}
	/* The desk waits for it: what follows is no part of the copy. */
	if (desk_bytes_put(p->fd, "!", 1) != 0 ||
	    !pane_answer(p, stdout, "rmux: no word about what was saved"))
		return 1;
	return r;
}

static int
pane_take(struct desk_pane *p)
{
	const char **names = mem_calloc(p->q.n + 1, sizeof(*names));
	char **owned = mem_calloc(p->q.n + 1, sizeof(*owned));
	struct cp_user user;
	size_t i;
	int r;

	for (i = 0; i < p->q.n; i++)
		names[i] = owned[i] = cp_base_new(p->q.names[i]);
	cp_user_init(&user, p->quiet);
	r = cp_take(&(const struct cp_take_cfg){ .in = p->fd,
	    .out = p->fd,
	    .to = p->dir == NULL ? "." : p->dir,
	    .recurse = p->q.recurse,
	    .names = names,
	    .user = &user });
	cp_tell_end(&user, r < 2);
	if (r > 1)
		sys_complain("rmux: the copy ended early");
	while (i > 0)
		mem_free(owned[--i]);
	mem_free(owned);
	mem_free(names);
	return r > 1 ? 1 : r;
}

static int
pane_do(struct desk_pane *p, const char *server)
{
	int r = 1;

	if (!pane_connect(p, server))
		return 1;
	if (pane_ask(p) && pane_answer(p, stdout, "rmux: " PANE_NOBODY)) {
		if (p->q.what == DESK_READ)
			r = pane_take(p);
		else
			r = p->q.what == DESK_OPEN ? 0 : pane_send(p);
	}
	(void)close(p->fd);
	return r;
}

int
pane_desk_run(const char *const *argv, const char *server)
{
	struct desk_pane p = { .fd = -1 };
	int r = 1;

	(void)signal(SIGPIPE, SIG_IGN);
	buf_init(&p.in, DESK_FRAME_MAX + 1);
	p.q.what = argv[0][0] == 'g'   ? DESK_SAVE
		   : argv[0][0] == 'p' ? DESK_READ
				       : DESK_OPEN;
	if (!pane_options(&p, argv))
		r = pane_usage();
	else if (pane_words(&p))
		r = pane_do(&p, server);
	desk_request_fini(&p.q);
	buf_fini(&p.in);
	return r;
}
