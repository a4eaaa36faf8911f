/*
 * Hints: URLs, mail addresses, UUIDs and addresses of networks.
 */
#include <string.h>

#include "mux/mode/hints_find.h"

#define URL_MAX 4096   /* bytes */
#define LABEL_MAX 64   /* of a scheme, the name of a host, a local part */
#define ADDRESS_MAX 64 /* of an IPv6 address */

static bool
word_before(const struct hint_line *l, size_t at)
{
	return at > 0 && hint_is(l, at - 1, HINT_WORD);
}

/* --- URLs -------------------------------------------------------------------------- */

/* Schemes, in order; those without slashes have no host. */
static const struct {
	const char *name;
	bool slashes;
} schemes[] = {
	{ "bzr", true },
	{ "cvs", true },
	{ "data", false },
	{ "dict", true },
	{ "docker", true },
	{ "doi", false },
	{ "ed2k", true },
	{ "file", true },
	{ "ftp", true },
	{ "ftps", true },
	{ "gemini", true },
	{ "git", true },
	{ "git+ssh", true },
	{ "gopher", true },
	{ "gs", true },
	{ "hg", true },
	{ "http", true },
	{ "https", true },
	{ "ipfs", true },
	{ "irc", true },
	{ "ircs", true },
	{ "ldap", true },
	{ "ldaps", true },
	{ "magnet", false },
	{ "mailto", false },
	{ "mongodb", true },
	{ "mysql", true },
	{ "news", false },
	{ "nfs", true },
	{ "postgres", true },
	{ "postgresql", true },
	{ "redis", true },
	{ "rsync", true },
	{ "rtsp", true },
	{ "s3", true },
	{ "sftp", true },
	{ "smb", true },
	{ "ssh", true },
	{ "svn", true },
	{ "svn+ssh", true },
	{ "tcp", true },
	{ "tel", false },
	{ "udp", true },
	{ "unix", true },
	{ "urn", false },
	{ "vnc", true },
	{ "ws", true },
	{ "wss", true },
	{ "xmpp", false },
};

/* The byte after the scheme, its colon and slashes, or 0. */
static size_t
find_scheme(const struct hint_line *l, size_t at)
{
	char name[16];
	size_t end = at, i;

	while (end - at < sizeof(name) - 1 && hint_is(l, end, HINT_SCHEME)) {
		name[end - at] =
		    (char)(l->s[end] | (hint_is(l, end, HINT_ALPHA) ? 32 : 0));
		end++;
	}
	if (hint_at(l, end) != ':')
		return 0;
	name[end - at] = '\0';
	for (i = 0; i < ARRAY_LEN(schemes); i++)
		if (strcmp(schemes[i].name, name) == 0)
			break;
	if (i == ARRAY_LEN(schemes))
		return 0;
	end++;
	if (!schemes[i].slashes)
		return end;
	return hint_at(l, end) == '/' && hint_at(l, end + 1) == '/' ? end + 2
								    : 0;
}

static unsigned char
closes(unsigned char c)
{
	return c == ')' ? '(' : c == ']' ? '[' : 0;
}

/*
 * The end of the URL whose characters begin at AT: before a closing bracket
 * that it has not opened, and before punctuation at its end.  QUOTE is the
 * character before the URL.
 */
static size_t
url_end(const struct hint_line *l, size_t at, unsigned char quote)
{
	unsigned open[2] = { 0, 0 }; /* round, square */
	const size_t limit = MIN_OF(l->n, at + URL_MAX);
	size_t end = at, n;
	unsigned char c;

	while (end < limit) {
		c = hint_at(l, end);
		if (c >= 0x80) {
			if ((n = hint_letter(l, end)) == 0)
				break;
			end += n;
			continue;
		}
		if (!hint_is(l, end, HINT_URLS) || (c == '\'' && quote == c) ||
		    (c == '*' && quote == c))
			break;
		if (c == '(' || c == '[')
			open[c == '[']++;
		else if (closes(c) != 0 && open[c == ']']-- == 0)
			break;
		end++;
	}
	while (end > at && strchr(".,;:!?'*([", l->s[end - 1]) != NULL)
		end--;
	return end;
}

/* git@host:path */
static size_t
find_scp(const struct hint_line *l, size_t at)
{
	const size_t host = at + 4;
	size_t end;

	if (l->n - at < 8 || memcmp(l->s + at, "git@", 4) != 0)
		return 0;
	end = hint_run(l, host, HINT_HOST);
	if (end == host || hint_at(l, end) != ':' ||
	    !hint_is(l, end + 1, HINT_PATHS))
		return 0;
	return url_end(l, end + 1, hint_before(l, at));
}

size_t
hints_find_url(const struct hint_line *l, size_t at, UNUSED size_t *skip)
{
	size_t begin, end;

	if (!hint_is(l, at, HINT_ALPHA) || word_before(l, at))
		return 0;
	if ((end = find_scp(l, at)) != 0)
		return end;
	begin = find_scheme(l, at);
	if (begin == 0 && l->n - at > 4 && memcmp(l->s + at, "www.", 4) == 0)
		begin = at + 4;
	if (begin == 0)
		return 0;
	/* A name, a bracketed address, or the third slash of file:///. */
	if (!hint_is(l, begin, HINT_WORD) && hint_at(l, begin) != '[' &&
	    hint_at(l, begin) != '/' && hint_at(l, begin) != '?' &&
	    hint_at(l, begin) != '+' && hint_letter(l, begin) == 0)
		return 0;
	end = url_end(l, begin, hint_before(l, at));
	return end > begin ? end : 0;
}

/* --- mail ------------------------------------------------------------------------- */

size_t
hints_find_email(const struct hint_line *l, size_t at, size_t *skip)
{
	size_t end = at, host, dot;

	/* It begins with the first letter or digit of its run. */
	if (!hint_is(l, at, HINT_WORD))
		return 0;
	while (end > 0 && hint_is(l, end - 1, HINT_MAIL) &&
	       !hint_is(l, end - 1, HINT_WORD))
		end--;
	if (word_before(l, end) || hint_before(l, end) == '@')
		return 0;
	end = hint_run(l, at, HINT_MAIL);
	*skip = end;
	if (hint_at(l, end) != '@' || end - at > LABEL_MAX)
		return 0;
	host = end + 1;
	end = hint_run(l, host, HINT_HOST);
	*skip = MAX_OF(end, at + 1);
	while (end > host && !hint_is(l, end - 1, HINT_ALPHA | HINT_DIGIT))
		end--;
	for (dot = end; dot > host && l->s[dot - 1] != '.'; dot--)
		;
	/* The last part of the name has letters only. */
	if (end - host > 4 * LABEL_MAX || dot < host + 2 || end - dot < 2 ||
	    hint_run(l, dot, HINT_ALPHA) < end || !hint_is(l, host, HINT_WORD))
		return 0;
	return end;
}

/* --- digits with separators -------------------------------------------------------- */

size_t
hints_find_uuid(const struct hint_line *l, size_t at, UNUSED size_t *skip)
{
	static const unsigned char parts[] = { 8, 4, 4, 4, 12 };
	size_t i, end = at;

	if (word_before(l, at) || l->n - at < 36)
		return 0;
	for (i = 0; i < ARRAY_LEN(parts); i++) {
		if (i > 0 && hint_at(l, end++) != '-')
			return 0;
		if (hint_run(l, end, HINT_HEX) != end + parts[i])
			return 0;
		end += parts[i];
	}
	return hint_is(l, end, HINT_WORD) || hint_at(l, end) == '-' ? 0 : end;
}

size_t
hints_find_mac(const struct hint_line *l, size_t at, UNUSED size_t *skip)
{
	const unsigned char colon = hint_at(l, at + 2);
	size_t i, end = at;

	if (word_before(l, at) || (colon != ':' && colon != '-') ||
	    hint_before(l, at) == colon)
		return 0;
	for (i = 0; i < 6; i++) {
		if (i > 0 && hint_at(l, end++) != colon)
			return 0;
		if (!hint_is(l, end, HINT_HEX) ||
		    !hint_is(l, end + 1, HINT_HEX))
			return 0;
		end += 2;
	}
	return hint_is(l, end, HINT_WORD) || hint_at(l, end) == colon ? 0 : end;
}

/* A decimal number of at most MAX at AT; its end, or 0. */
static size_t
small_number(const struct hint_line *l, size_t at, unsigned max)
{
	unsigned n = 0;
	size_t end = at;

	for (; hint_is(l, end, HINT_DIGIT); end++) {
		n = n * 10 + (unsigned)(l->s[end] - '0');
		if (n > max || end - at >= 5)
			return 0;
	}
	return end > at ? end : 0;
}

/* Extends an address that ends at END by C and a number. */
static size_t
with_number(const struct hint_line *l, size_t end, char c, unsigned max)
{
	size_t more;

	if (hint_at(l, end) != (unsigned char)c)
		return end;
	more = small_number(l, end + 1, max);
	return more == 0 || hint_is(l, more, HINT_WORD) ? end : more;
}

static size_t
dotted(const struct hint_line *l, size_t at)
{
	size_t end = at;
	unsigned i;

	for (i = 0; i < 4; i++) {
		if (i > 0 && hint_at(l, end++) != '.')
			return 0;
		if ((end = small_number(l, end, 255)) == 0)
			return 0;
	}
	return end;
}

size_t
hints_find_ipv4(const struct hint_line *l, size_t at, UNUSED size_t *skip)
{
	size_t end;

	if (word_before(l, at) || !hint_is(l, at, HINT_DIGIT) ||
	    (hint_before(l, at) == '.' && at >= 2 &&
		hint_is(l, at - 2, HINT_WORD)) ||
	    (end = dotted(l, at)) == 0)
		return 0;
	if (hint_is(l, end, HINT_WORD) ||
	    ((hint_at(l, end) == '.' || hint_at(l, end) == '-') &&
		hint_is(l, end + 1, HINT_WORD)))
		return 0;
	end = with_number(l, end, ':', 65535);
	return with_number(l, end, '/', 32);
}

/* The groups of an IPv6 address that ends at END; 0 if it is none. */
static bool
groups_good(const struct hint_line *l, size_t at, size_t end)
{
	unsigned groups = 0, gaps = 0, digits = 0;
	size_t i = at, run;

	if (hint_at(l, i) == ':') {
		if (hint_at(l, i + 1) != ':')
			return false;
		gaps++;
		i += 2;
	}
	while (i < end) {
		if (hint_at(l, i) == ':') {
			gaps++;
			i++;
			continue;
		}
		run = hint_run(l, i, HINT_HEX);
		if (hint_at(l, run) == '.' && run < end) {
			if ((groups == 0 && gaps == 0) || dotted(l, i) != end)
				return false;
			groups += 2;
			digits = 1;
			break;
		}
		if (run - i > 4 || run == i)
			return false;
		for (; i < run; i++)
			digits |= hint_is(l, i, HINT_DIGIT);
		groups++;
		if (i < end && hint_at(l, i++) != ':')
			return false;
		if (i == end && hint_at(l, end - 1) == ':' &&
		    hint_at(l, end - 2) != ':')
			return false;
	}
	if (gaps > 1 || (gaps == 0 && groups != 8) || (gaps == 1 && groups > 7))
		return false;
	/* "a::b" is more often C++ or Rust. */
	return groups > 0 && (digits != 0 || groups > 2);
}

size_t
hints_find_ipv6(const struct hint_line *l, size_t at, size_t *skip)
{
	size_t end = at;
	unsigned colons = 0;

	if (!hint_is(l, at, HINT_HEX) && hint_at(l, at) != ':')
		return 0;
	for (; hint_is(l, end, HINT_HEX) || hint_at(l, end) == ':' ||
	       (hint_at(l, end) == '.' && colons > 1 &&
		   hint_is(l, end + 1, HINT_DIGIT));
	     end++)
		colons += hint_at(l, end) == ':';
	*skip = end;
	if (word_before(l, at) || hint_before(l, at) == ':' ||
	    hint_before(l, at) == '.')
		return 0;
	while (end > at + 1 && l->s[end - 1] == ':' && l->s[end - 2] != ':') {
		end--; /* the colon behind an address */
		colons--;
	}
	if (end - at > ADDRESS_MAX || colons < 2 ||
	    hint_is(l, end, HINT_WORD) || !groups_good(l, at, end))
		return 0;
	return with_number(l, end, '/', 128);
}
