#include "client/far.h"
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define FAR_MISSING "RMUX MISSING "
#define FAR_TAKEN "RMUX TAKEN "
#define FAR_FAILED "RMUX FAILED "

/* Prints the SHA-256 of the file $f; nothing if no program there can. */
#define FAR_SUM                                       \
 "$( (sha256sum <\"$f\" || shasum -a 256 <\"$f\" || " \
 "openssl dgst -sha256 -r <\"$f\") 2>/dev/null | cut -c1-64)"

/* Arguments: version, sums or "-", "-" or the host, words for rmux. */
static const char find_script[] =
    "v=$1 s=$2 w=$3; shift 3; "
    "command -v rmux >/dev/null 2>&1 && exec rmux \"$@\"; "
    "f=$HOME/" FAR_FOLDER "/rmux-$v t=none; "
    "if [ -x \"$f\" ]; then h=-; [ \"$s\" = - ] || h=" FAR_SUM "; "
    "case \" - $s \" in *\" ${h:--} \"*) exec \"$f\" \"$@\";; esac; "
    "t=other; fi; "
    "if [ \"$w\" = - ]; then "
    "echo \"" FAR_MISSING "$t $(uname -s) $(uname -m)\"; else "
    "echo \"rmux: there is no rmux on $w, in its PATH or as $f. "
    "To copy one there: rmux --deploy -H $w command\" >&2; "
    "fi; exit 127";

/* Arguments: version, size, checksum. */
static const char take_script[] =
    "umask 077; v=$1 n=$2 s=$3; d=$HOME/" FAR_FOLDER "; f=$d/.rmux-$v.$$; "
    "e() { rm -f \"$f\"; echo \"" FAR_FAILED "$1\"; exit 1; }; "
    "trap \"e signal\" 1 2 15; "
    "mkdir -p \"$d\" || e folder; "
    "cat >\"$f\" || e write; "
    "h=" FAR_SUM "; "
    "if [ -n \"$h\" ]; then w=sum; [ \"$h\" = \"$s\" ] || e sum; "
    "else w=size; [ $(wc -c <\"$f\") -eq $n ] || e size; fi; "
    "chmod 755 \"$f\" || e write; "
    "o=$(\"$f\" -V </dev/null) || e run; "
    "[ \"$o\" = \"rmux $v\" ] || e run; "
    "mv -f \"$f\" \"$d/rmux-$v\" || e move; "
    "echo \"" FAR_TAKEN "$w\"";

static const struct far_step steps[] = {
	{ "folder", "the folder cannot be made", "may you write there?" },
	{ "write", "the file cannot be written",
	    "is the disk full, or the folder not yours?" },
	{ "sum", "the file arrived with another checksum", "try again" },
	{ "size", "the file arrived with another size", "try again" },
	{ "run", "the copy does not run there",
	    "install rmux there instead (./quickstart, or the system's "
	    "package)" },
	{ "move", "the file cannot be put into its place",
	    "may you write there?" },
	{ "signal", "the far side was interrupted", "try again" },
};

void
far_quote(struct buf *b, const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "@+:,./-_";

	if (b->len > 0)
		(void)buf_add(b, " ", 1);
	if (*word != '\0' && strspn(word, plain) == strlen(word)) {
		(void)buf_add(b, word, strlen(word));
		return;
	}
	(void)buf_add(b, "'", 1);
	for (; *word != '\0'; word++)
		if (*word == '\'' || *word == '\\')
			(void)buf_addf(b, "'\\%c'", *word);
		else
			(void)buf_add(b, word, 1);
	(void)buf_add(b, "'", 1);
}

void
far_find(
    struct buf *b, const char *sums, enum far_missing how, const char *host)
{
	far_quote(b, "sh");
	far_quote(b, "-c");
	far_quote(b, find_script);
	far_quote(b, "rmux-find");
	far_quote(b, PACKAGE_VERSION);
	far_quote(b, sums == NULL ? "-" : sums);
	far_quote(b, how == FAR_MARK ? "-" : host);
}

void
far_take(struct buf *b, size_t size, const char *sum)
{
	char number[32];

	snprintf(number, sizeof(number), "%zu", size);
	far_quote(b, "sh");
	far_quote(b, "-c");
	far_quote(b, take_script);
	far_quote(b, "rmux-take");
	far_quote(b, PACKAGE_VERSION);
	far_quote(b, number);
	far_quote(b, sum);
}

/* --- answers -------------------------------------------------------------- */

/*
 * Finds MARK in the output; login files may have printed text around it. Copies
 * the rest of its line to OUT; false if the line is not whole or too long.
 */
static bool
marked_line(const void *p, size_t n, const char *mark, char *out, size_t size)
{
	const char *text = p, *at, *end;
	size_t len;

	if (n == 0 || (at = memmem(text, n, mark, strlen(mark))) == NULL)
		return false;
	at += strlen(mark);
	end = memchr(at, '\n', n - (size_t)(at - text));
	if (end == NULL)
		return false;
	len = (size_t)(end - at);
	if (len > 0 && at[len - 1] == '\r')
		len--;
	if (len >= size || memchr(at, '\0', len) != NULL)
		return false;
	memcpy(out, at, len);
	out[len] = '\0';
	return true;
}

/* security: copies a word that will be shown; refuses all but plain letters. */
static bool
take_word(char **rest, char out[static FAR_WORD_MAX])
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "._-";
	const char *word = *rest == NULL ? "" : strsep(rest, " ");
	size_t n = strlen(word);

	if (n == 0 || n >= FAR_WORD_MAX || strspn(word, plain) != n)
		return false;
	memcpy(out, word, n + 1);
	return true;
}

bool
far_missing_parse(const void *p, size_t n, struct far_machine *m)
{
	char line[4 * FAR_WORD_MAX], state[FAR_WORD_MAX], *rest = line;

	memset(m, 0, sizeof(*m));
	if (!marked_line(p, n, FAR_MISSING, line, sizeof(line)))
		return false;
	if (!take_word(&rest, state) || !take_word(&rest, m->system) ||
	    !take_word(&rest, m->machine) || rest != NULL) {
		memset(m, 0, sizeof(*m));
		return false;
	}
	m->other = strcmp(state, "other") == 0;
	return true;
}

bool
far_take_parse(
    const void *p, size_t n, bool *summed, const struct far_step **step)
{
	char word[FAR_WORD_MAX];
	size_t i;

	*step = NULL;
	*summed = false;
	if (marked_line(p, n, FAR_FAILED, word, sizeof(word))) {
		for (i = 0; i < ARRAY_LEN(steps); i++)
			if (strcmp(word, steps[i].name) == 0)
				*step = &steps[i];
		return false;
	}
	if (!marked_line(p, n, FAR_TAKEN, word, sizeof(word)))
		return false;
	*summed = strcmp(word, "sum") == 0;
	return *summed || strcmp(word, "size") == 0;
}
