#include "client/desk/pane.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
#define PASTE_TRIES 100
#define PASTE_TEXT_MAX ((size_t)1 << 20)
#define PANE_NOBODY                                                           \
 "no desk: nobody is attached from another machine, or the client there has " \
 "--desk=off or is an older rmux. On this machine, cp copies"

struct desk_pane {
	struct desk_request q;
	const char *dir;    /* -d */
	const char *target; /* -t */
	const char *server;
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
	       (strcmp(word, "paste-file") == 0 || strcmp(word, "get") == 0 ||
		   strcmp(word, "put") == 0 || strcmp(word, "open") == 0);
}

static int
pane_usage(void)
{
	fprintf(stderr,
	    "usage: rmux get [-qr] file ...       to the machine at which you "
	    "sit\n"
	    "       rmux put [-qr] [-d dir] name ...  from it\n"
	    "       rmux open URL|file            opens it there\n"
	    "       rmux paste-file [-t pane]     pastes paths of copies of "
	    "what "
	    "its clipboard has\n");
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
			else if (*c == 't' && p->q.what == DESK_PASTE) {
				p->target = c[1] != '\0' ? c + 1 : argv[++i];
				break;
			} else if (*c == 'q')
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
	return (argv[i] != NULL) != (p->q.what == DESK_PASTE);
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

	if (p->q.what == DESK_PASTE) {
		p->q.names[p->q.n++] = mem_strdup("clipboard");
		return true;
	}
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
	for (i = 0; i < a.ntext && !p->quiet && out != NULL; i++)
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
	    .plain = p->q.what == DESK_PASTE,
	    .most_files = DESK_NAMES_MAX,
	    .most_bytes = UINT64_MAX,
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

/* --- the clipboard -------------------------------------------------------------------- */

/* Takes the names of the answer; false: one that the desk may not have. */
static bool
paste_names(struct desk_pane *p)
{
	char *text, *rest, *name;
	struct desk_answer a;
	bool ok = desk_answer_get(&a, p->in.data, p->in.len) == 0;

	desk_request_fini(&p->q);
	if (!ok)
		return false;
	rest = text = mem_strndup(a.text, a.ntext);
	while (ok && (name = strsep(&rest, "\n")) != NULL) {
		if (*name == '\0')
			continue;
		ok = desk_path_ok(name) && strchr(name, '/') == NULL &&
		     p->q.n < DESK_NAMES_MAX;
		if (ok)
			p->q.names[p->q.n++] = mem_strdup(name);
	}
	mem_free(text);
	return ok && p->q.n > 0;
}

/* Makes a folder for this user alone (mem_free), or NULL. */
static char *
paste_folder_new(void)
{
	const char *top = getenv("XDG_RUNTIME_DIR");
	char *path;
	unsigned i;

	if (top == NULL || access(top, W_OK) != 0)
		top = getenv("TMPDIR");
	if (top == NULL)
		top = "/tmp";
	for (i = 0; i < PASTE_TRIES; i++) {
		path =
		    mem_printf("%s/rmux-paste-%ld-%u", top, (long)getpid(), i);
		if (mkdir(path, 0700) == 0)
			return path;
		mem_free(path);
		if (errno != EEXIST)
			break;
	}
	return NULL;
}

/* Appends a path, in quotes of the shell if it needs them. */
static void
paste_quote(struct buf *b, const char *dir, const char *name)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "/._-+,@%:=";
	char *path = mem_printf("%s/%s", dir, name);
	const bool quoted = path[strspn(path, plain)] != '\0';
	const char *c;

	(void)buf_add_str(b, b->len > 0 ? " " : "");
	(void)buf_add_str(b, quoted ? "'" : "");
	for (c = path; *c != '\0'; c++)
		if (*c == '\'')
			(void)buf_add_str(b, "'\\''");
		else
			(void)buf_add(b, c, 1);
	(void)buf_add_str(b, quoted ? "'" : "");
	mem_free(path);
}

/* Runs rmux, which pastes TEXT into the pane; returns if it cannot. */
static void
paste_text(const struct desk_pane *p, const char *text)
{
	char *self = sys_program_new(), *name;
	const char *pane = p->target != NULL ? p->target : getenv("RMUX_PANE");
	const char *words[] = { "rmux", "-S", p->server, "set-buffer", "-b",
		NULL, "--", text, ";", "paste-buffer", "-dp", "-b", NULL,
		pane == NULL ? NULL : "-t", pane, NULL };
	union {
		const char **in;
		char *const *out;
	} argv = { words };

	name = mem_printf("rmux-paste-%ld", (long)getpid());
	words[5] = words[12] = name;
	if (self != NULL)
		(void)execv(self, argv.out);
	mem_free(name);
	mem_free(self);
}

static int
pane_paste(struct desk_pane *p)
{
	struct buf text;
	char *dir;
	size_t i;
	int r;

	if (!paste_names(p))
		return pane_fail("paste-file", "the desk has no plain names");
	if ((dir = paste_folder_new()) == NULL)
		return pane_fail("a folder for the copies", strerror(errno));
	p->dir = dir;
	r = pane_take(p);
	buf_init(&text, PASTE_TEXT_MAX);
	for (i = 0; i < p->q.n; i++)
		paste_quote(&text, dir, p->q.names[i]);
	if (r == 0) {
		paste_text(p, buf_cstr(&text));
		r = pane_fail("rmux", strerror(errno));
	}
	buf_fini(&text);
	mem_free(dir);
	return r;
}

static int
pane_do(struct desk_pane *p, const char *server)
{
	int r = 1;

	if (!pane_connect(p, server))
		return 1;
	if (pane_ask(p) &&
	    pane_answer(p, p->q.what == DESK_PASTE ? NULL : stdout,
		"rmux: " PANE_NOBODY)) {
		if (p->q.what == DESK_PASTE)
			r = pane_paste(p);
		else if (p->q.what == DESK_READ)
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
	p.server = server;
	p.q.what = argv[0][0] == 'g'   ? DESK_SAVE
		   : argv[0][1] == 'a' ? DESK_PASTE
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
