#include "server/core/invite.h"

#include <sys/socket.h>

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "server/face/ask.h"
#include "server/face/viewer.h"
#include "server/io/guest_in.h"
#include "server/io/remote.h"
#include "server/io/remote_port.h"
#include "server/run/audit.h"
#include "server/run/run.h"

struct invite {
	struct list_node node;
	unsigned id;
	struct invite_spec spec; /* its strings are not kept */
	char *name;              /* or NULL */
	uint32_t tag;
	uint8_t
	    *key; /* a slot of the keyring; NULL: no more guests are admitted */
	mono_ms until;
	struct budget budget;  /* of its joins */
	struct guest_in *door; /* first datagrams that wait */
	uint32_t *joins; /* lower halves of the connection ids that were used */
	size_t join_count;
};

struct invites {
	struct viewers *viewers;
	struct list all; /* oldest first */
	struct ssp_keyring *keyring;
	struct loop_timer *timer;
	unsigned next;
};

static void door_take(void *arg, struct guest_datagram *gd);

static const struct guest_in_ops door_ops = { door_take, NULL };

/* --- life ------------------------------------------------------------------------ */

/* Records what happens to an invitation; NAME, VALUE: one more field. */
static void
invite_record(struct invites *is, const struct invite *inv, const char *what,
    const char *name, const char *value)
{
	char id[16];

	(void)snprintf(id, sizeof(id), "%u", inv->id);
	audit_say(is->viewers->run->audit, "invite", NULL, "ticket", id, "what",
	    what, name, value, NULL);
}

/* Admits no more guests: wipes the key and tells the guests' clients. */
static void
invite_close(struct invites *is, struct invite *inv)
{
	struct list_node *n;
	struct viewer *vw;

	if (inv->key != NULL) {
		ssp_keyring_give(is->keyring, inv->key);
		remote_release_port(is->viewers->remotes);
	}
	inv->key = NULL;
	LIST_FOREACH(n, &is->viewers->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->guest.invite != inv->id || vw->guest.spent)
			continue;
		vw->guest.spent = true;
		viewer_dirty(vw);
	}
}

/* Counts the guests of INV, or of all invitations if it is NULL. */
static size_t
invite_guests(const struct invites *is, const struct invite *inv)
{
	const struct viewer *vw;
	const struct list_node *n;
	size_t count = 0;

	LIST_FOREACH(n, &is->viewers->list) {
		vw = container_of(n, struct viewer, node);
		count += inv == NULL ? vw->guest.invite != 0
				     : vw->guest.invite == inv->id;
	}
	return count;
}

/* Wipes the key and detaches the guests. */
static void
invite_end(struct invites *is, struct invite *inv, const char *why)
{
	struct list_node *n, *tmp;
	struct viewer *vw;

	invite_close(is, inv);
	LIST_FOREACH_SAFE(n, &is->viewers->list, tmp) {
		vw = container_of(n, struct viewer, node);
		if (vw->guest.invite == inv->id)
			viewer_detach(vw, 0, why);
	}
	invite_record(is, inv, "end", "why", why);
	list_remove(&is->all, &inv->node);
	guest_in_free(inv->door);
	mem_free(inv->name);
	mem_free(inv->joins);
	mem_free(inv);
}

static void
invites_tick(void *arg)
{
	struct invites *is = arg;
	mono_ms now = loop_now(is->viewers->run->loop), next = MONO_NEVER;
	struct list_node *n, *tmp;
	struct invite *inv;

	LIST_FOREACH_SAFE(n, &is->all, tmp) {
		inv = container_of(n, struct invite, node);
		if (now >= inv->until || mux_session(is->viewers->run->mux,
					     inv->spec.session) == NULL)
			invite_end(is, inv, "the invitation has ended");
		else
			next = mono_min(next, inv->until);
	}
	loop_timer_set(is->timer, next);
}

struct invites *
invites_new(struct viewers *vs)
{
	struct invites *is = mem_zalloc(sizeof(*is));

	is->viewers = vs;
	list_init(&is->all);
	is->timer = loop_timer_new(vs->run->loop, invites_tick, is);
	return is;
}

void
invites_free(struct invites *is)
{
	if (is == NULL)
		return;
	while (!list_empty(&is->all))
		invite_end(is,
		    container_of(list_first(&is->all), struct invite, node),
		    "server exited");
	loop_timer_free(is->timer);
	if (is->keyring != NULL)
		ssp_keyring_free(is->keyring);
	mem_free(is);
}

/* --- where the server is ------------------------------------------------------------- */

/* Adds the machine's own addresses, without loopback and link-local ones. */
static void
ticket_add_own(struct ssp_ticket *t, uint16_t port)
{
	struct ifaddrs *all, *i;
	char host[NI_MAXHOST];
	socklen_t len;

	if (getifaddrs(&all) != 0)
		return;
	for (i = all; i != NULL; i = i->ifa_next) {
		if (i->ifa_addr == NULL || (i->ifa_flags & IFF_UP) == 0 ||
		    (i->ifa_flags & IFF_LOOPBACK) != 0 ||
		    (i->ifa_addr->sa_family != AF_INET &&
			i->ifa_addr->sa_family != AF_INET6))
			continue;
		len = i->ifa_addr->sa_family == AF_INET
			  ? sizeof(struct sockaddr_in)
			  : sizeof(struct sockaddr_in6);
		/* A link-local address has no meaning on another machine. */
		if (getnameinfo(i->ifa_addr, len, host, sizeof(host), NULL, 0,
			NI_NUMERICHOST) == 0 &&
		    strchr(host, '%') == NULL)
			(void)ssp_ticket_add(t, host, port);
	}
	freeifaddrs(all);
}

static void
invite_record_new(struct invites *is, const struct invite *inv)
{
	const struct session *s =
	    mux_session(is->viewers->run->mux, inv->spec.session);
	char id[16], seconds[24];

	(void)snprintf(id, sizeof(id), "%u", inv->id);
	(void)snprintf(seconds, sizeof(seconds), "%llu",
	    (unsigned long long)inv->spec.length / 1000);
	audit_say(is->viewers->run->audit, "invite", NULL, "ticket", id, "what",
	    "made", "role", client_role_name(inv->spec.role), "session",
	    s == NULL ? NULL : s->name, "seconds", seconds, "guests",
	    inv->spec.once ? "1" : "many", "asks", inv->spec.ask ? "yes" : NULL,
	    "name", inv->name, NULL);
}

/* Writes the addresses of the server to T. */
static int
ticket_addrs(struct ssp_ticket *t, const struct invite_spec *spec,
    uint16_t port, struct cause *c)
{
	size_t i;
	int r;

	memset(t, 0, sizeof(*t));
	for (i = 0; spec->addrs[i] != NULL; i++)
		if ((r = ssp_ticket_add(t, spec->addrs[i], port)) != 0)
			return r == -ERR_LIMIT
				   ? cause_set(c, r, "more than %d addresses",
					 SSP_TICKET_ADDRS_MAX)
				   : cause_set(c, r,
					 "not an address: %s (use host or "
					 "host:port)",
					 spec->addrs[i]);
	ticket_add_own(t, port);
	if (t->naddrs == 0)
		(void)ssp_ticket_add(t, "127.0.0.1", port);
	return 0;
}

/* Adds an invitation; NULL if there are too many. */
static struct invite *
invite_make(struct invites *is, const struct invite_spec *spec)
{
	mono_ms now = loop_now(is->viewers->run->loop);
	struct invite *inv;
	uint8_t *key;

	if (is->keyring == NULL)
		is->keyring = ssp_keyring_new(SSP_KEY_LEN, 4, INVITES_MAX);
	if (is->keyring == NULL ||
	    (key = ssp_keyring_take(is->keyring)) == NULL)
		return NULL;
	inv = mem_zalloc(sizeof(*inv));
	inv->key = key;
	sys_random(inv->key, SSP_KEY_LEN);
	sys_random(&inv->tag, sizeof(inv->tag));
	if (spec->words)
		ssp_ticket_spoken(inv->key, &inv->tag);
	inv->id = ++is->next;
	inv->spec = *spec;
	inv->spec.name = NULL;
	inv->spec.addrs = NULL;
	inv->name = spec->name == NULL ? NULL : mem_strdup(spec->name);
	inv->until = mono_add(now, spec->length);
	budget_init(&inv->budget, now / 10);
	inv->door = guest_in_new(is->viewers->run->lane, &door_ops, is);
	list_push_back(&is->all, &inv->node);
	return inv;
}

int
invite_new(struct invites *is, const struct invite_spec *spec,
    struct ssp_ticket *t, struct cause *c)
{
	struct remotes *rs = is->viewers->remotes;
	struct invite *inv = NULL;
	uint16_t port;
	int r;

	if ((r = remote_keep_port(rs, &port, c)) != 0)
		return r;
	r = ticket_addrs(t, spec, port, c);
	if (r == 0 && (inv = invite_make(is, spec)) == NULL)
		r = cause_set(
		    c, -ERR_LIMIT, "more than %d invitations", INVITES_MAX);
	if (inv == NULL) {
		remote_release_port(rs);
		return r;
	}
	t->tag = inv->tag;
	memcpy(t->key, inv->key, SSP_KEY_LEN);
	invite_record_new(is, inv);
	invites_tick(is);
	return 0;
}

/* --- who is here ---------------------------------------------------------------------- */

static void
put_guests(const struct invites *is, const struct invite *inv, struct buf *out)
{
	const struct list_node *n;
	const struct viewer *vw;
	const char *before = ": ";

	LIST_FOREACH(n, &is->viewers->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->guest.invite != inv->id)
			continue;
		(void)buf_addf(out, "%s%s", before, vw->client->name);
		before = ", ";
	}
}

void
invite_list(const struct invites *is, struct buf *out)
{
	mono_ms now = loop_now(is->viewers->run->loop);
	const struct session *s;
	const struct list_node *n;
	const struct invite *inv;
	uint64_t left;

	LIST_FOREACH(n, &is->all) {
		inv = container_of(n, struct invite, node);
		s = mux_session(is->viewers->run->mux, inv->spec.session);
		left = mono_until(now, inv->until) / 1000;
		(void)buf_addf(out,
		    "%u: %s%s, session %s, %s%s, ends in %lluh%02llum%02llus, "
		    "%zu here",
		    inv->id, client_role_name(inv->spec.role),
		    inv->spec.ask ? " after asking" : "",
		    s == NULL ? "" : s->name, inv->spec.once ? "once" : "many",
		    inv->key == NULL ? " (used)" : "",
		    (unsigned long long)(left / 3600),
		    (unsigned long long)(left / 60 % 60),
		    (unsigned long long)(left % 60), invite_guests(is, inv));
		put_guests(is, inv, out);
		if (inv->budget.refused > 0)
			(void)buf_addf(out, "; %llu tries to join refused",
			    (unsigned long long)inv->budget.refused);
		(void)buf_add(out, "\n", 1);
	}
}

bool
invite_revoke(struct invites *is, unsigned id)
{
	struct list_node *n, *tmp;
	struct invite *inv;
	bool any = false;

	LIST_FOREACH_SAFE(n, &is->all, tmp) {
		inv = container_of(n, struct invite, node);
		if (id != 0 && inv->id != id)
			continue;
		invite_end(is, inv, "the invitation was revoked");
		any = true;
	}
	return any;
}

/* --- coming in --------------------------------------------------------------------------- */

static bool
invite_has_come(const struct invite *inv, uint64_t cid)
{
	size_t i;

	for (i = 0; i < inv->join_count; i++)
		if (inv->joins[i] == (uint32_t)cid)
			return true;
	return false;
}

/* security: a hash of the key, which tells nothing about the key. */
static void
key_print(char out[static 17], const uint8_t psk[static SSP_KEY_LEN])
{
	static const char label[] = "rmux fingerprint";
	uint8_t hash[SSP_HASH_LEN];
	size_t i;

	ssp_hash(
	    hash, (const uint8_t *)label, sizeof(label) - 1, psk, SSP_KEY_LEN);
	for (i = 0; i < 8; i++)
		(void)snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

/* Makes a client for a guest of session S. */
static struct viewer *
invite_viewer(struct invites *is, struct invite *inv, uint64_t cid,
    const uint8_t *psk, struct session *s)
{
	struct run *run = is->viewers->run;
	struct cause c = { NULL };
	struct client *cl;
	struct viewer *vw;

	run_set_now(run);
	cl = client_new(run->mux, "guest");
	cl->guest = true;
	client_set_role(cl, inv->spec.role);
	if ((vw = viewer_new_guest(is->viewers, cl, cid, psk, &c)) == NULL) {
		client_free(cl);
		cause_fini(&c);
		return NULL;
	}
	vw->guest.invite = inv->id;
	key_print(vw->guest.print, psk);
	vw->guest.name = inv->name == NULL ? NULL : mem_strdup(inv->name);
	/* security: it sees nothing before it has said its name (guest_hello). */
	vw->guest.session = s->id;
	if (inv->spec.ask)
		ask_begin(vw);
	return vw;
}

/*
 * security: guests that vanished must not keep others out.  Detaches the guest
 * that has been silent longest; the newcomer's next datagram then finds a place.
 */
static void
invite_make_room(struct invites *is, const struct invite *inv)
{
	struct viewer *vw, *guests[INVITE_GUESTS_MAX];
	mono_ms heard[INVITE_GUESTS_MAX] = { 0 };
	struct remote_info info;
	struct list_node *at;
	size_t n = 0, i;

	LIST_FOREACH(at, &is->viewers->list) {
		vw = container_of(at, struct viewer, node);
		if (vw->guest.invite != inv->id || n == INVITE_GUESTS_MAX)
			continue;
		if (vw->detaching)
			return;
		remote_info(remote_of_link(vw->link), &info);
		heard[n] = info.heard;
		guests[n++] = vw;
	}
	if ((i = budget_yields(heard, n)) < n)
		viewer_detach(
		    guests[i], 0, "another guest has taken the place");
}

/* Returns the invitation of a first datagram, if it admits guests, or NULL. */
static struct invite *
invite_find(struct invites *is, const struct ssp_dgram *d)
{
	struct list_node *at;
	struct invite *inv;

	LIST_FOREACH(at, &is->all) {
		inv = container_of(at, struct invite, node);
		if (inv->key == NULL || inv->tag != ssp_ticket_tag(d->cid))
			continue;
		/* security: a connection id is admitted once: no replay. */
		if (loop_now(is->viewers->run->loop) >= inv->until ||
		    invite_has_come(inv, d->cid) ||
		    inv->join_count >= INVITE_JOINS_MAX)
			return NULL;
		if (inv->spec.ask && ask_count(is->viewers) >= ASK_MAX)
			return NULL;
		return inv;
	}
	return NULL;
}

/* Returns whether INV, or all together, have as many guests as they may. */
static bool
invite_full(const struct invites *is, const struct invite *inv)
{
	return invite_guests(is, inv) >= INVITE_GUESTS_MAX ||
	       invite_guests(is, NULL) >= BUDGET_GUESTS;
}

/* Counts a refused try to join, and tells the owner now and then. */
static void
invite_refuse(struct invites *is, struct invite *inv, const char *why)
{
	struct run *run = is->viewers->run;
	uint64_t n = budget_refuse(&inv->budget, loop_now(run->loop));

	if (n > 0)
		run_message(run,
		    "invitation %u: %llu tries to join refused: %s", inv->id,
		    (unsigned long long)n, why);
}

/* Admits the guest of a first datagram, if it may come in. */
static void
invite_admit(
    struct invites *is, const struct ssp_dgram *d, const uint8_t *p, size_t n)
{
	struct run *run = is->viewers->run;
	struct invite *inv = invite_find(is, d);
	struct viewer *vw = NULL;
	uint8_t psk[SSP_KEY_LEN];
	struct session *s;

	if (inv == NULL)
		return;
	if ((s = mux_session(run->mux, inv->spec.session)) == NULL)
		return;
	ssp_ticket_psk(psk, inv->key, d->cid);
	if (ssp_ticket_opens(psk, d->cid, p, n)) {
		/* security: only the holder of the ticket spends these. */
		if (invite_full(is, inv)) {
			invite_make_room(is, inv);
			invite_refuse(is, inv, "too many guests");
		} else if (!budget_join(&inv->budget, loop_now(run->loop)))
			invite_refuse(is, inv, "too many joins in a minute");
		else
			vw = invite_viewer(is, inv, d->cid, psk, s);
	}
	mem_wipe(psk, sizeof(psk));
	if (vw == NULL)
		return;
	inv->joins =
	    mem_resize(inv->joins, inv->join_count + 1, sizeof(*inv->joins));
	inv->joins[inv->join_count++] = (uint32_t)d->cid;
	if (inv->spec.once) {
		invite_record(is, inv, "used", NULL, NULL);
		invite_close(is, inv);
	}
	/* Do this last: a hook may end the invitation and the guest. */
	run_drain(run);
}

/* One step of the lane: a newcomer. */
static void
door_take(void *arg, struct guest_datagram *gd)
{
	struct invites *is = arg;
	struct remotes *rs = is->viewers->remotes;
	struct ssp_dgram d;

	if (is->viewers->run->exiting ||
	    ssp_dgram_parse(gd->data, gd->len, &d) != 0)
		return;
	/* The same datagram may have come twice. */
	if (remotes_enter(rs, d.cid, gd))
		return;
	invite_admit(is, &d, gd->data, gd->len);
	if (!remotes_enter(rs, d.cid, gd))
		remote_port_junk(remotes_port(rs), gd->socket);
}

bool
invite_knock(
    struct invites *is, const struct ssp_dgram *d, const struct udp_msg *m)
{
	struct run *run = is->viewers->run;
	uint8_t psk[SSP_KEY_LEN];
	struct invite *inv;
	bool opens;

	if (d->type != SSP_DGRAM_INIT || run->exiting ||
	    (inv = invite_find(is, d)) == NULL)
		return false;
	ssp_ticket_psk(psk, inv->key, d->cid);
	opens = ssp_ticket_opens(psk, d->cid, m->data, m->len);
	mem_wipe(psk, sizeof(psk));
	/* security: only the holder of the ticket fills the queue. */
	if (!opens)
		return false;
	if (guest_in_add(inv->door,
		remote_port_reading(remotes_port(is->viewers->remotes)), m))
		return true;
	invite_refuse(is, inv, "too many joins at once");
	return false;
}
