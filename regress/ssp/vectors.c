/*
 * With --print, prints the test vectors of doc/PROTOCOL.md; otherwise compares
 * them with doc/protocol-vectors.txt, or with the file named, and prints TAP.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/wire.h"
#include "ssp/frame.h"
#include "ssp/handshake.h"

static struct buf out;

static void
say(const char *name, const uint8_t *p, size_t n)
{
	size_t i;

	buf_addf(&out, "%s =", name);
	for (i = 0; i < n; i++)
		buf_addf(&out, "%s%02x", i % 32 == 0 ? "\n  " : "", p[i]);
	buf_add_str(&out, "\n");
}

static void
say_title(const char *s)
{
	buf_addf(&out, "\n# %s\n", s);
}

/* Writes timestamp, reply, HELLO and one payload frame, padded to 16. */
static size_t
plain_make(uint8_t *p, uint16_t stamp, uint16_t reply, uint8_t version,
    const char *text)
{
	uint8_t hello[4] = { version, 1, 1, 0 };
	struct wr w;
	size_t n;

	wr_init(&w, p, 200);
	wr_u16(&w, stamp);
	wr_u16(&w, reply);
	ssp_frame_put(&w, SSP_FRAME_HELLO, hello, sizeof(hello));
	/* Type 0x3f is unassigned: readers skip it. */
	ssp_frame_put(
	    &w, (enum ssp_frame_type)0x3f, (const uint8_t *)text, strlen(text));
	n = (wr_len(&w) + 15) / 16 * 16;
	memset(p + wr_len(&w), 0, n - wr_len(&w));
	return n;
}

static const uint8_t sealed[16] = { 0x12, 0x34, 0xff, 0xff, 0x3f, 0x03, 'k',
	'e', 'y' };

static void
say_short(const char *name, enum ssp_dgram_form form, unsigned phase,
    uint64_t cid, uint64_t pn, const uint8_t *key)
{
	uint8_t p[SSP_DGRAM_OVERHEAD + 16];

	memcpy(p + SSP_DGRAM_HEAD, sealed, sizeof(sealed));
	say(name, p,
	    ssp_dgram_seal_data(p, form, phase, cid, pn, key, sizeof(sealed)));
}

static void
say_sealed(const char *name, enum ssp_dgram_type type, unsigned phase,
    uint64_t cid, uint64_t pn, const uint8_t *key)
{
	uint8_t p[SSP_DGRAM_OVERHEAD + 16];
	size_t n;

	memcpy(p + SSP_DGRAM_HEAD, sealed, sizeof(sealed));
	n = ssp_dgram_seal(p, type, phase, cid, pn, key, sizeof(sealed));
	say(name, p, n);
}

/* Runs the handshake of epoch `c->epoch` and sends a datagram each way. */
static void
say_epoch(struct ssp_hs *c, struct ssp_hs *s, uint8_t fill)
{
	unsigned slot = (unsigned)c->epoch % SSP_EPOCH_SLOTS;
	struct ssp_dgram d;
	uint8_t msg[SSP_DGRAM_FLOOR], *plain;
	size_t n;
	bool first = c->epoch == 0;

	buf_addf(&out, "\n# Epoch %u\n", (unsigned)c->epoch);
	say("psk", c->sec->psk, SSP_KEY_LEN);
	say("mac key", c->sec->mac, SSP_KEY_LEN);
	n = plain_make(ssp_hs_plain(c), 1000, 0xffff, 0, first ? "in" : "");
	say("plaintext of INIT", ssp_hs_plain(c), n);
	memset(c->sec->e, fill, SSP_KEY_LEN);
	say("client ephemeral secret", c->sec->e, SSP_KEY_LEN);
	if (ssp_hs_write(c, n) != 0)
		abort();
	say("INIT", c->msg, c->len);
	memcpy(msg, c->msg, c->len);
	if (ssp_dgram_parse(msg, c->len, &d) != 0 ||
	    ssp_hs_read(s, &d, msg, c->len, &plain, &n) != 0)
		abort();
	n = plain_make(ssp_hs_plain(s), 5000, 1003, 1, first ? "out" : "");
	say("plaintext of RESP", ssp_hs_plain(s), n);
	memset(s->sec->e, fill + 1, SSP_KEY_LEN);
	say("server ephemeral secret", s->sec->e, SSP_KEY_LEN);
	if (ssp_hs_write(s, n) != 0)
		abort();
	say("RESP", s->msg, s->len);
	memcpy(msg, s->msg, s->len);
	if (ssp_dgram_parse(msg, s->len, &d) != 0 ||
	    ssp_hs_read(c, &d, msg, s->len, &plain, &n) != 0)
		abort();
	say("key client to server", c->sec->epoch[slot].send, SSP_KEY_LEN);
	say("key server to client", c->sec->epoch[slot].recv, SSP_KEY_LEN);
	say("chain (psk of the next epoch)", c->sec->psk, SSP_KEY_LEN);
	say_sealed("DATA client to server, number 1", SSP_DGRAM_DATA, slot,
	    c->cid, 1, c->sec->epoch[slot].send);
	say_sealed("DATA server to client, number 0x123456789", SSP_DGRAM_DATA,
	    slot, c->cid, UINT64_C(0x123456789), c->sec->epoch[slot].recv);
	say_short("DATA client to server, short, number 0x10002",
	    SSP_DGRAM_SHORT, slot, c->cid, 0x10002, c->sec->epoch[slot].send);
	say_short("DATA server to client, bare, number 0x10002", SSP_DGRAM_BARE,
	    slot, c->cid, 0x10002, c->sec->epoch[slot].recv);
	say_sealed("PROBE client to server, number 1", SSP_DGRAM_PROBE, slot,
	    c->cid, 1, c->sec->epoch[slot].send);
}

static int
compare(const char *path)
{
	FILE *f;
	char *want;
	size_t n;
	int ok;

	printf("1..1\n");
	if ((f = fopen(path, "rb")) == NULL) {
		printf("not ok 1 - %s cannot be read\n", path);
		return 1;
	}
	want = calloc(1, out.len + 2);
	n = fread(want, 1, out.len + 1, f);
	fclose(f);
	ok = n == out.len && memcmp(want, out.data, n) == 0;
	free(want);
	printf("%sok 1 - vectors are those of %s\n", ok ? "" : "not ", path);
	return !ok;
}

int
main(int argc, char **argv)
{
	static struct ssp_secrets cs, ss;
	struct ssp_hs c, s;
	uint8_t psk[SSP_KEY_LEN];
	char text[SSP_KEY_TEXT_LEN + 1], path[4096];
	const char *top = getenv("top_srcdir");
	unsigned i;
	int r = 0;

	buf_init(&out, 65536);
	if (ssp_crypto_init() != 0)
		return 1;
	for (i = 0; i < SSP_KEY_LEN; i++)
		psk[i] = (uint8_t)i;
	ssp_key_format(psk, text);
	buf_add_str(&out, "# Test vectors of the rmux protocol, version 1.\n"
			  "# Made by regress/ssp/vectors; all bytes in hex.\n");
	say_title("Text form of a key");
	say("psk", psk, sizeof(psk));
	buf_addf(&out, "text = %s\n", text);
	ssp_hs_init(&c, true, UINT64_C(0x1122334455667788), 1, 1, &cs, psk);
	ssp_hs_init(&s, false, UINT64_C(0x1122334455667788), 1, 1, &ss, psk);
	say_epoch(&c, &s, 0x41);
	say_epoch(&c, &s, 0x51);
	if (argc > 1 && strcmp(argv[1], "--print") == 0) {
		fwrite(out.data, 1, out.len, stdout);
	} else {
		snprintf(path, sizeof(path), "%s/doc/protocol-vectors.txt",
		    top == NULL ? "." : top);
		r = compare(argc > 1 ? argv[1] : path);
	}
	buf_fini(&out);
	return r;
}
