/*
 * A guest with a valid ticket that does harm.
 *
 * usage: evil_guest TICKET ATTACK [MILLISECONDS [GUESTS]]
 *
 * It joins GUESTS times (1), attacks for so long (400) and for TURNS turns at
 * least, and ends without a word.  A guest is in when the server has answered,
 * and, if it says its name, when it has a view of the session.  It prints "in"
 * when all are in that an invitation admits at once, and "out N" at the end, N
 * guests having been in.  Attacks:
 *
 *   keys, mouse, paste, resize, focus, replies   events, as many as fit
 *   names     HELLO and CAPS with control characters, again and again
 *   me        a me.conf of forbidden commands, then keys that it binds
 *   objects   valid instructions that carry nonsense
 *   frames    valid datagrams that carry nonsense
 *   side      side messages of nonsense
 *   rekey     new keys as often as they go
 *   silent    handshakes, then nothing
 *   half      first datagrams only; the answers are not read
 *   idle      honest but for the missing goodbye
 */
#include <sys/resource.h>
#include <sys/socket.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "regress/chance.h"
#include "regress/hostile/evil_end.h"
#include "ssp/compress.h"
#include "ssp/ticket.h"

#define GUESTS_MAX 200
#define BATCH 400 /* events of a turn */
#define TURNS 10
#define AT_ONCE 16     /* guests that an invitation admits at once */
#define PATIENCE 20000 /* ms to come in */

struct guest {
	uint64_t chance;
	const char *attack;
	struct ssp_zip *zip;
	struct sync_input *in; /* of events; NULL for other attacks */
};

/* --- events ----------------------------------------------------------------------- */

static const char sharp[] =
    "\033]52;c;cHduZWQ=\a\033]0;pwned\a\033[21t\033P$q\033\\\r\nid\r"
    "#(touch $PWNED)#{q:host}$(touch $PWNED)`touch $PWNED`;kill-server\n";

static int
one_key(struct guest *g)
{
	struct key_event ev = { .key = (key_code)chance_below(
				    &g->chance, 0x7fffffff) };

	if (chance_below(&g->chance, 2) == 0)
		return sync_input_text(
		    g->in, chance_below(&g->chance, 0x110000));
	ev.type = (enum key_event_type)chance_below(&g->chance, 5);
	memset(ev.text, (int)chance_below(&g->chance, 256),
	    chance_below(&g->chance, sizeof(ev.text) - 1));
	return sync_input_key(g->in, &ev);
}

static int
one_mouse(struct guest *g)
{
	struct mouse_event ev = {
		.action = (enum mouse_action)chance_below(&g->chance, 6),
		.button = (enum mouse_button)chance_below(&g->chance, 16),
		.mods = (key_code)chance_below(&g->chance, 0x7fffffff) << 20,
		.x = (int)chance_below(&g->chance, 0x7fffffff),
		.y = (int)chance_below(&g->chance, 100) - 50,
		.px = -7,
		.py = 0x7fffffff,
	};

	return sync_input_mouse(g->in, &ev);
}

static int
one_paste(struct guest *g)
{
	char text[65536];
	size_t i;

	for (i = 0; i + sizeof(sharp) < sizeof(text); i += sizeof(sharp))
		memcpy(text + i, sharp, sizeof(sharp));
	return sync_input_data(g->in, SYNC_PASTE, chance_below(&g->chance, 4),
	    text, chance_below(&g->chance, 65536));
}

static int
one_resize(struct guest *g)
{
	static const uint16_t sizes[] = { 0, 1, 2, 80, 999, 10000, 65535 };
	uint16_t size[4];
	int i;

	for (i = 0; i < 4; i++)
		size[i] = sizes[chance_below(&g->chance, 7)];
	return sync_input_resize(g->in, size);
}

static int
one_reply(struct guest *g)
{
	char text[4096];

	memset(text, 'A', sizeof(text));
	memcpy(text, sharp, sizeof(sharp));
	return sync_input_data(g->in, SYNC_REPLY, chance_below(&g->chance, 12),
	    text, chance_below(&g->chance, sizeof(text)));
}

static int
one_name(struct guest *g)
{
	char text[sizeof(sharp) + 64];

	memcpy(text, sharp, sizeof(sharp));
	text[chance_below(&g->chance, sizeof(sharp))] = '\0';
	return sync_input_data(g->in,
	    chance_below(&g->chance, 2) == 0 ? SYNC_HELLO : SYNC_CAPS,
	    chance_below(&g->chance, 255), text, sizeof(sharp));
}

static int
one_focus(struct guest *g)
{
	return sync_input_focus(g->in, chance_below(&g->chance, 2) == 0);
}

/* Lines of a me.conf; & is a letter. */
static const char *const me_lines[] = {
	"bind -n & run-shell 'touch $PWNED'",
	"bind -n & display-message '#(touch $PWNED)'",
	"bind -n & set-buffer pwned",
	"bind -n & refresh-client -S '$(touch $PWNED)'",
	"bind -n & refresh-client -t '$(touch $PWNED)'",
	"bind -n & send-prefix -t '#(touch $PWNED)`touch $PWNED`'",
	"bind -n & { bind-key -n Any kill-server }",
	"bind -n & kill-server",
	"bind -T '#(touch $PWNED)' & send-prefix",
	"bind -N '#(touch $PWNED)\\033]0;&' x send-prefix",
	"set key-table '#(touch $PWNED)&'",
	"set status-left '#(touch $PWNED)&'",
	"run-shell 'touch $PWNED' # &",
	"if-shell 'touch $PWNED' { kill-server } # &",
	"source-file /dev/zero # &",
	"%if '#(touch $PWNED)&'",
	"PWNED=&",
	"{ { { { &",
};

/* Adds a file of some of the lines, sometimes with bytes changed. */
static int
one_file(struct guest *g)
{
	const char *p;
	struct buf b;
	int r;

	buf_init(&b, SYNC_EVENT_DATA_MAX);
	do {
		p = me_lines[chance_below(&g->chance, ARRAY_LEN(me_lines))];
		for (; *p != '\0'; p++)
			(void)buf_add_u8(&b,
			    *p != '&' ? (uint8_t)*p
				      : (uint8_t)('a' + chance_below(
							    &g->chance, 26)));
		(void)buf_add_u8(&b, '\n');
	} while (chance_below(&g->chance, 16) != 0);
	if (chance_below(&g->chance, 4) == 0)
		b.data[chance_below(&g->chance, (uint32_t)b.len)] =
		    (uint8_t)chance_below(&g->chance, 256);
	r = sync_input_data(
	    g->in, SYNC_ME, chance_below(&g->chance, 8) == 0, b.data, b.len);
	buf_fini(&b);
	return r;
}

static int
one_me(struct guest *g)
{
	if (chance_below(&g->chance, 50) == 0)
		return one_file(g);
	return sync_input_text(g->in, 'a' + chance_below(&g->chance, 26));
}

static const struct {
	const char *name;
	int (*one)(struct guest *g);
} events[] = {
	{ "keys", one_key },
	{ "mouse", one_mouse },
	{ "paste", one_paste },
	{ "resize", one_resize },
	{ "replies", one_reply },
	{ "names", one_name },
	{ "focus", one_focus },
	{ "me", one_me },
	{ "idle", NULL },
};

static int
event_row(const char *attack)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(events); i++)
		if (strcmp(events[i].name, attack) == 0)
			return (int)i;
	return -1;
}

/* --- guests ----------------------------------------------------------------------- */

/* What a guest says first: without its name it has no session. */
static struct sync_input *
hello_new(struct guest *g)
{
	static const char words[] = "evil\0xterm-256color";
	struct sync_input *in = sync_input_new();
	int i;

	if (strcmp(g->attack, "names") == 0)
		for (g->in = in, i = 0; i < 16; i++)
			(void)one_name(g);
	(void)sync_input_data(in, SYNC_HELLO, 1, words, sizeof(words) - 1);
	if (strcmp(g->attack, "me") == 0) {
		g->in = in;
		(void)one_file(g);
	}
	return in;
}

static struct evil_bytes *
hello_bytes_new(struct guest *g)
{
	struct evil_bytes *b = evil_bytes_new();
	struct sync_input *none = sync_input_new(), *in = hello_new(g);

	b->version = 1;
	(void)sync_input_ops.diff(none, in, &b->bytes);
	sync_input_ops.free(none);
	sync_input_ops.free(in);
	return b;
}

/* Returns whether the guest says nothing but its handshake. */
static bool
guest_is_quiet(const struct guest *g)
{
	return strcmp(g->attack, "silent") == 0 ||
	       strcmp(g->attack, "half") == 0;
}

static bool
guest_open(struct guest *g, struct evil_end *e, struct ssp_keyring *keys,
    const struct ssp_ticket *t)
{
	struct ssp_transport_cfg tc;
	struct udp_addr to;
	uint8_t psk[SSP_KEY_LEN];
	struct cause why = { NULL };
	struct udp *u;
	uint32_t number;
	uint64_t cid;

	if (udp_addr_parse(t->addrs[0].host, t->addrs[0].port, &to) != 0 ||
	    udp_open(udp_addr_family(&to), 1, &u, &why) != 0)
		return false;
	sys_random(&number, sizeof(number));
	cid = ssp_ticket_cid(t->tag, number);
	ssp_ticket_psk(psk, t->key, cid);
	e->chance = g->chance;
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.remote_ops = &sync_view_ops;
	tc.zip = g->zip;
	tc.flow_rx = SSP_FLOW_SCREEN;
	tc.asks = true;
	if (strcmp(g->attack, "frames") == 0)
		return evil_end_open(e, u, keys, cid, psk, &to, NULL) == 0;
	tc.remote = sync_view_new(0, 0);
	if (strcmp(g->attack, "objects") == 0) {
		tc.local_ops = &evil_bytes_ops;
		tc.local = evil_bytes_new();
	} else {
		tc.local_ops = &sync_input_ops;
		tc.local = sync_input_new();
	}
	if (evil_end_open(e, u, keys, cid, psk, &to, &tc) != 0)
		return false;
	if (guest_is_quiet(g))
		return true;
	ssp_transport_set_current(e->bind.tp, sys_now(),
	    tc.local_ops == &sync_input_ops ? (void *)hello_new(g)
					    : (void *)hello_bytes_new(g));
	ssp_transport_changed(e->bind.tp, sys_now());
	return true;
}

/* Puts the attack of one turn into the guest's state. */
static void
guest_attack(struct guest *g, struct evil_end *e)
{
	int row = event_row(g->attack), i;
	struct evil_bytes *b;
	mono_ms now = sys_now();

	if (e->bind.tp == NULL)
		e->burst = 200;
	else if (row >= 0 && events[row].one != NULL) {
		g->in = ssp_transport_current(e->bind.tp);
		for (i = 0; i < BATCH && events[row].one(g) == 0; i++)
			;
		ssp_transport_changed(e->bind.tp, now);
	} else if (strcmp(g->attack, "objects") == 0) {
		b = ssp_transport_current(e->bind.tp);
		b->version++;
		evil_nonsense(&g->chance, &b->bytes);
		ssp_transport_changed(e->bind.tp, now);
	} else if (strcmp(g->attack, "side") == 0) {
		b = evil_bytes_new();
		evil_nonsense(&g->chance, &b->bytes);
		b->bytes.data[0] = (uint8_t)chance_below(&g->chance, 5);
		(void)ssp_transport_side_put(
		    e->bind.tp, now, b->bytes.data, b->bytes.len);
		evil_bytes_ops.free(b);
	} else if (strcmp(g->attack, "rekey") == 0)
		ssp_conn_rekey(e->at.conn);
}

static bool
guest_in(const struct guest *g, const struct evil_end *e)
{
	struct ssp_conn_stats st;
	uint64_t number = 0;

	ssp_conn_stats(e->at.conn, &st);
	if (e->bind.tp == NULL || guest_is_quiet(g))
		return st.state == SSP_CONN_UP;
	(void)ssp_transport_remote(e->bind.tp, &number);
	return number > 0;
}

static unsigned
guests_in(const struct guest *g, const struct evil_end *e, unsigned n)
{
	unsigned i, in = 0;

	for (i = 0; i < n; i++)
		in += guest_in(g, &e[i]);
	return in;
}

int
main(int argc, char **argv)
{
	static struct evil_end ends[GUESTS_MAX];
	struct guest g = { .chance = 1 };
	struct ssp_keyring *keys;
	struct ssp_ticket t;
	mono_ms end;
	unsigned i, n, in, turns;

	n = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
	if (argc < 3 || n > GUESTS_MAX || ssp_crypto_init() != 0 ||
	    ssp_ticket_parse(argv[1], strlen(argv[1]), &t) != 0)
		return 2;
	g.attack = argv[2];
	g.zip = ssp_zip_new();
	keys = ssp_keyring_new(SSP_SECRETS_LEN, 8, GUESTS_MAX);
	for (i = 0; i < n; i++) {
		g.chance += 0x9e3779b97f4a7c15;
		if (!guest_open(&g, &ends[i], keys, &t))
			return 3;
		ends[i].deaf = strcmp(g.attack, "half") == 0;
	}
	end = sys_now() + PATIENCE;
	do
		evil_turn(ends, n, 10);
	while (!ends[0].deaf &&
	       guests_in(&g, ends, n) < MIN_OF(n, (unsigned)AT_ONCE) &&
	       sys_now() < end);
	printf("in\n");
	fflush(stdout);
	end = sys_now() + (argc > 3 ? (mono_ms)atoi(argv[3]) : 400);
	for (turns = 0; sys_now() < end || turns < TURNS; turns++) {
		for (i = 0; i < n && !guest_is_quiet(&g); i++)
			guest_attack(&g, &ends[i]);
		evil_turn(ends, n, 5);
	}
	in = guests_in(&g, ends, n);
	for (i = 0; i < n; i++)
		evil_end_close(&ends[i]);
	ssp_keyring_free(keys);
	ssp_zip_free(g.zip);
	printf("out %u\n", in);
	return 0;
}
