/* The answer of `rmux __connect` among other output of ssh. */
#include <stdlib.h>
#include <string.h>

#include "client/bootstrap.h"

#define BOOTSTRAP_MARK "RMUX CONNECT "

int
bootstrap_answer(struct bootstrap *b, struct cause *c)
{
	struct buf *got = &b->got;
	char *line, *nl, *word, *rest;
	unsigned long long cid;
	unsigned long port;
	int r = 0;

	if (got->len == 0)
		return 0;
	line = memmem(
	    got->data, got->len, BOOTSTRAP_MARK, sizeof(BOOTSTRAP_MARK) - 1);
	nl = line == NULL ? NULL
			  : memchr(line, '\n',
				got->len - (size_t)(line - (char *)got->data));
	if (nl == NULL)
		return got->len < BOOTSTRAP_NOISE_MAX
			   ? 0
			   : cause_set(c, -ERR_PEER,
				 "too much other output before rmux's answer");
	*nl = '\0';
	if (nl > line && nl[-1] == '\r')
		nl[-1] = '\0';
	rest = line + sizeof(BOOTSTRAP_MARK) - 1;
	word = strsep(&rest, " ");
	if (strcmp(word, "0") == 0)
		return cause_set(c, -ERR_VERSION,
		    "the rmux there uses an older protocol: update it");
	/* security: only digits of it are shown. */
	if (strcmp(word, "1") != 0)
		return cause_set(c, -ERR_VERSION,
		    "the rmux there uses a newer protocol (%.*s): update the "
		    "one here",
		    (int)MIN_OF(strspn(word, "0123456789"), (size_t)9), word);
	word = rest == NULL ? NULL : strsep(&rest, " ");
	port = word == NULL ? 0 : strtoul(word, NULL, 10);
	word = rest == NULL ? NULL : strsep(&rest, " ");
	cid = word == NULL ? 0 : strtoull(word, NULL, 16);
	word = rest == NULL ? NULL : strsep(&rest, " ");
	b->resumed =
	    word != NULL && strcmp(word, "-") == 0 && cid != 0 && cid == b->cid;
	if (port == 0 || port > 65535 || cid == 0 || word == NULL ||
	    (!b->resumed && ssp_key_parse(word, b->key) != 0))
		r = cause_set(c, -ERR_PEER, "rmux's answer is damaged");
	b->port = (uint16_t)port;
	b->cid = cid;
	while (r == 0 && rest != NULL && b->naddrs < BOOTSTRAP_ADDRS_MAX) {
		word = strsep(&rest, " ");
		if (*word != '\0' && strlen(word) < sizeof(b->addrs[0]))
			strcpy(b->addrs[b->naddrs++], word);
	}
	if (r != 0)
		return r;
	(void)buf_add(
	    &b->rest, nl + 1, got->len - (size_t)(nl + 1 - (char *)got->data));
	return 1;
}
