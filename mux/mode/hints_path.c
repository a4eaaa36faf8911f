/*
 * Hints: paths and names of files.
 *
 * A text with a slash may be a path or two words ("read/write"), a fraction, a
 * date: see relative_good.
 */
#include <stdlib.h>
#include <string.h>

#include "mux/mode/hints_find.h"

#define PATH_BYTES 1024 /* a longer text is no path */
#define NAME_BYTES 16   /* of words and extensions that are looked up */

/* Extensions of names without a slash, in order. */
static const char *const extensions[] = { "a", "ac", "am", "apk", "asm", "avi",
	"avif", "awk", "bash", "bat", "bib", "bin", "bmp", "bz2", "c", "cc",
	"cert", "cfg", "cjs", "class", "clj", "cls", "cmake", "cmd", "conf",
	"cpp", "crt", "cs", "css", "csv", "cu", "cxx", "d", "dart", "db", "deb",
	"def", "diff", "dll", "doc", "docx", "dts", "el", "elf", "elm", "env",
	"epub", "erb", "erl", "ex", "exe", "exs", "f90", "fish", "flac", "fs",
	"gem", "gif", "go", "gradle", "graphql", "gz", "h", "hcl", "hh", "hpp",
	"hs", "htm", "html", "hxx", "ico", "img", "in", "inc", "ini", "ino",
	"ipynb", "iso", "jar", "java", "jpeg", "jpg", "js", "json", "jsonl",
	"jsx", "key", "ko", "kt", "kts", "la", "less", "lisp", "list", "lock",
	"log", "lst", "lua", "m", "m4", "mak", "map", "md", "mdx", "mjs", "mk",
	"mkv", "ml", "mli", "mm", "mod", "mov", "mp3", "mp4", "nim", "nix", "o",
	"obj", "odt", "ogg", "org", "orig", "out", "pcap", "pdf", "pem", "php",
	"pid", "pl", "plist", "pm", "png", "po", "pot", "prisma", "proto", "ps",
	"ps1", "pub", "pxd", "py", "pyc", "pyi", "pyx", "r", "rar", "rb", "rej",
	"rkt", "rpm", "rs", "rst", "s", "sass", "scala", "scm", "scss", "sed",
	"service", "sh", "so", "socket", "spec", "sql", "sqlite", "srt", "sum",
	"svelte", "svg", "swift", "tar", "tcl", "tex", "texi", "tf", "tgz",
	"tif", "tiff", "timer", "toml", "ts", "tsv", "tsx", "ttf", "txt", "v",
	"vb", "vcxproj", "vhd", "vim", "vue", "wasm", "wav", "webm", "webp",
	"whl", "woff", "woff2", "xcf", "xlsx", "xml", "xz", "yaml", "yml",
	"zig", "zip", "zsh", "zst" };

/* Two words with a slash that are no path, in order. */
static const char *const phrases[] = { "and/or", "bytes/s", "client/server",
	"either/or", "he/she", "him/her", "his/her", "his/hers", "input/output",
	"master/slave", "on/off", "open/close", "pass/fail", "read/write",
	"she/her", "start/stop", "tcp/ip", "true/false", "up/down", "yes/no" };

static int
by_name(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

/* Whether bytes FROM..TO-1, in lower case, are in a list. */
static bool
listed(const struct hint_line *l, size_t from, size_t to,
    const char *const *list, size_t count)
{
	char name[NAME_BYTES];
	size_t i;

	if (to - from >= sizeof(name) || from >= to)
		return false;
	for (i = from; i < to; i++)
		name[i - from] =
		    (char)(l->s[i] | (hint_is(l, i, HINT_ALPHA) ? 32 : 0));
	name[i - from] = '\0';
	return bsearch(name, list, count, sizeof(*list), by_name) != NULL;
}

/* --- how far it goes ------------------------------------------------------------ */

/*
 * The end of the characters of a path from AT on: also letters beyond ASCII,
 * "\ ", and brackets in pairs.
 */
static size_t
path_run(const struct hint_line *l, size_t at)
{
	unsigned open = 0;
	size_t end = at, n;

	if (hint_at(l, end) == '$' && hint_is(l, end + 1, HINT_WORD))
		end++;
	for (;;) {
		if ((n = hint_letter(l, end)) != 0) {
			end += n;
		} else if (hint_at(l, end) == '\\' &&
			   hint_at(l, end + 1) == ' ' &&
			   hint_is(l, end + 2, HINT_PATHS)) {
			end += 2;
		} else if (hint_is(l, end, HINT_PATHS)) {
			if (l->s[end] == '[')
				open++;
			else if (l->s[end] == ']' && open-- == 0)
				break;
			end++;
		} else {
			break;
		}
	}
	return end;
}

/* The end of a path between quotes, which may have blanks, or 0. */
static size_t
quoted_end(const struct hint_line *l, size_t at)
{
	const char quote = at > 0 ? l->s[at - 1] : '\0';
	const char *end;

	if (quote != '"' && quote != '\'' && quote != '`')
		return 0;
	if (hint_at(l, at) != '/' &&
	    !(hint_at(l, at) == '~' && hint_at(l, at + 1) == '/') &&
	    !(hint_at(l, at) == '.' && hint_at(l, at + 1) == '/'))
		return 0;
	end = memchr(l->s + at, quote, MIN_OF(l->n - at, (size_t)PATH_BYTES));
	if (end == NULL || end[-1] == ' ' ||
	    memchr(l->s + at, HINT_TAKEN, (size_t)(end - l->s) - at) != NULL)
		return 0;
	return (size_t)(end - l->s);
}

/* ":12" or ":12:3" behind a path. */
static size_t
with_line(const struct hint_line *l, size_t end)
{
	unsigned i;
	size_t n;

	for (i = 0; i < 2; i++) {
		if (hint_at(l, end) != ':')
			break;
		n = hint_run(l, end + 1, HINT_DIGIT);
		if (n == end + 1 || n - end > 8 || hint_is(l, n, HINT_WORD))
			break;
		end = n;
	}
	return end;
}

/* --- what it consists of ---------------------------------------------------------- */

struct path_facts {
	unsigned slashes;
	unsigned named;  /* parts with a letter */
	unsigned short_; /* parts of one character */
	unsigned empty;  /* between two slashes */
	bool alpha;      /* letters and slashes only */
	bool letter;
	bool number; /* the last part consists of digits and dots */
	size_t last; /* the last part */
	size_t dot;  /* the last dot of it, or 0 */
};

static void
facts_of(const struct hint_line *l, size_t at, size_t end, struct path_facts *f)
{
	size_t i, part = at;
	bool named = false;

	memset(f, 0, sizeof(*f));
	f->alpha = f->number = true;
	f->last = at;
	for (i = at; i <= end; i++) {
		if (i == end || l->s[i] == '/') {
			f->named += named;
			f->short_ += i == part + 1 && i > at;
			f->empty += i == part && i > at && i < end;
			if (i == end)
				break;
			f->slashes++;
			f->last = part = i + 1;
			f->dot = 0;
			f->number = true;
			named = false;
			continue;
		}
		if (hint_is(l, i, HINT_ALPHA) || (unsigned char)l->s[i] > 127) {
			named = f->letter = true;
			f->number = false;
		} else {
			f->alpha = false;
			if (l->s[i] == '.')
				f->dot = i;
			else if (!hint_is(l, i, HINT_DIGIT))
				f->number = false;
		}
	}
}

/* A dot, a letter and at most seven more letters and digits at the end. */
static bool
has_extension(const struct hint_line *l, size_t end, const struct path_facts *f)
{
	return f->dot > f->last && f->dot + 1 < end && end - f->dot <= 9 &&
	       hint_is(l, f->dot + 1, HINT_ALPHA) &&
	       hint_run(l, f->dot + 1, HINT_ALPHA | HINT_DIGIT) >= end;
}

/* Whether a text with a slash, which begins with a name, is a path. */
static bool
relative_good(const struct hint_line *l, size_t at, size_t end,
    const struct path_facts *f)
{
	if (f->named == 0 || hint_at(l, end) == '(')
		return false;
	if (f->last == end) /* "src/", not "<br/>" */
		return f->slashes > 1 ||
		       (end - at > 2 && hint_at(l, end) != '>' &&
			   hint_is(l, at, HINT_WORD | HINT_PATHS));
	if (has_extension(l, end, f))
		return true;
	if (f->slashes > 1)
		return f->named > 1 && f->short_ <= f->slashes;
	if (f->number || f->short_ > 0 || f->named < 2)
		return false;
	return !listed(l, at, end, phrases, ARRAY_LEN(phrases));
}

/* Whether a name without a slash is that of a file. */
static bool
name_good(const struct hint_line *l, size_t end, const struct path_facts *f)
{
	if (f->dot <= f->last || !f->letter || hint_at(l, end) == '(' ||
	    l->s[f->last] == '@' || l->s[f->last] == '.')
		return false;
	if (hint_at(l, end) == ':' && hint_is(l, end + 1, HINT_DIGIT) &&
	    has_extension(l, end, f))
		return true;
	/* "U.S", "e.g" and the like have one letter on both sides. */
	return (end > f->dot + 2 || f->dot > f->last + 1) &&
	       listed(l, f->dot + 1, end, extensions, ARRAY_LEN(extensions));
}

/* Whether it begins at the root, at home or with a directory's own name. */
static bool
is_anchored(const struct hint_line *l, size_t at, size_t end)
{
	size_t i = at;

	if (l->s[i] == '/' || l->s[i] == '~' || l->s[i] == '$')
		return true;
	while (i < end && l->s[i] == '.' && i < at + 2)
		i++;
	return i > at && hint_at(l, i) == '/';
}

static bool
anchored_good(const struct hint_line *l, size_t at, size_t end,
    const struct path_facts *f)
{
	if (f->slashes == 0 || !f->letter)
		return false;
	if (l->s[at] == '/')
		return end - at > 2 && l->s[at + 1] != '/' &&
		       hint_before(l, at) != '<';
	return end - at > 2;
}

/* "a/" and "b/" of a diff's file names are no directories. */
static size_t
diff_prefix(const struct hint_line *l, size_t at)
{
	static const char *const heads[] = { "--- ", "+++ ", "diff --git " };
	size_t i, n;

	if ((l->s[at] != 'a' && l->s[at] != 'b') || hint_at(l, at + 1) != '/')
		return at;
	for (i = 0; i < ARRAY_LEN(heads); i++) {
		n = strlen(heads[i]);
		if (at >= n && memcmp(l->s, heads[i], n) == 0)
			return at + 2;
	}
	return at;
}

size_t
hints_find_path(const struct hint_line *l, size_t at, size_t *skip)
{
	size_t end, quoted;
	struct path_facts f;

	if (hint_at(l, at) == '[')
		return 0;
	end = path_run(l, at);
	*skip = MAX_OF(end, at + 1);
	if (end == at || end - at > PATH_BYTES ||
	    (hint_before(l, at) == '\\' && l->s[at] != '/'))
		return 0;
	if (diff_prefix(l, at) != at) {
		*skip = at + 2;
		return 0;
	}
	if ((quoted = quoted_end(l, at)) > end)
		end = quoted;
	/* A full stop ends the sentence, not the path; ".." is a part. */
	while (end > at &&
	       (l->s[end - 1] == '.' || l->s[end - 1] == '@' ||
		   l->s[end - 1] == '+' || l->s[end - 1] == '%') &&
	       !(end - at > 2 && memcmp(l->s + end - 3, "/..", 3) == 0))
		end--;
	if (end == at)
		return 0;
	facts_of(l, at, end, &f);
	if (is_anchored(l, at, end)) {
		if (!anchored_good(l, at, end, &f))
			return 0;
	} else if (l->s[at] == '-' || l->s[at] == '+' ||
		   (f.slashes > 0 ? !relative_good(l, at, end, &f)
				  : !name_good(l, end, &f))) {
		return 0;
	}
	return with_line(l, end);
}
