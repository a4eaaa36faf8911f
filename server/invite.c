#include "server/invite.h"

#include <sys/socket.h>

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mux/session.h"
#include "server/face/people.h"
#include "server/io/remote.h"
#include "server/server.h"
#include "server/face/viewer.h"

#define INVITE_NAME_MAX 32 /* columns, and code points, of a guest's name */

struct invite {
	struct list_node node;
	unsigned id;
	struct invite_spec spec; /* its texts are not kept */
	char *name;              /* or NULL */
	uint32_t tag;
	uint8_t *key; /* a slot of the keyring; NULL: nobody else comes in */
	mono_ms until;
	uint32_t *joins; /* lower halves of the connection ids that came */
	size_t join_count;
};

struct invites {
	struct server *sv;
	struct list all; /* oldest first */
	struct ssp_keyring *keyring;
	struct loop_timer *timer;
	unsigned next;
};

/* --- life ------------------------------------------------------------------------ */

static void
invite_close(struct invites *is, struct invite *inv)
{
	if (inv->key != NULL)
		ssp_keyring_give(is->keyring, inv->key);
	inv->key = NULL;
}

static size_t
invite_guests(const struct invites *is, const struct invite *inv)
{
	const struct list_node *n;
	size_t count = 0;

	LIST_FOREACH(n, &is->sv->viewers)
		count +=
		    container_of(n, struct viewer, node)->invite == inv->id;
	return count;
}

/* Its key dies, and so do its guests' connections. */
static void
invite_end(struct invites *is, struct invite *inv, const char *why)
{
	struct list_node *n, *tmp;
	struct viewer *vw;

	invite_close(is, inv);
	LIST_FOREACH_SAFE(n, &is->sv->viewers, tmp) {
		vw = container_of(n, struct viewer, node);
		if (vw->invite == inv->id)
			viewer_detach(vw, 0, why);
	}
	list_remove(&is->all, &inv->node);
	mem_free(inv->name);
	mem_free(inv->joins);
	mem_free(inv);
}

static void
invites_tick(void *arg)
{
	struct invites *is = arg;
	mono_ms now = loop_now(is->sv->loop), next = MONO_NEVER;
	struct list_node *n, *tmp;
	struct invite *inv;

	LIST_FOREACH_SAFE(n, &is->all, tmp) {
		inv = container_of(n, struct invite, node);
		if (now >= inv->until ||
		    mux_session(is->sv->mux, inv->spec.session) == NULL)
			invite_end(is, inv, "the invitation has ended");
		else
			next = mono_min(next, inv->until);
	}
	loop_timer_set(is->timer, next);
}

static struct invites *
invites_new(struct server *sv)
{
	struct invites *is;

	is = mem_zalloc(sizeof(*is));
	is->sv = sv;
	is->keyring = ssp_keyring_new(SSP_KEY_LEN, 4, INVITES_MAX);
	if (is->keyring == NULL) {
		mem_free(is);
		return NULL;
	}
	list_init(&is->all);
	is->timer = loop_timer_new(sv->loop, invites_tick, is);
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
	ssp_keyring_free(is->keyring);
	mem_free(is);
}

/* --- where the server is ------------------------------------------------------------- */

/* "host", "host:port", "[2001:db8::1]:port", "2001:db8::1". */
static int
ticket_add(
    struct ssp_ticket *t, const char *text, uint16_t port, struct cause *c)
{
	const char *end, *colon = NULL;
	struct ssp_ticket_addr *a = &t->addrs[t->naddrs];
	int64_t n = port;

	if (t->naddrs == SSP_TICKET_ADDRS_MAX)
		return cause_set(c, -ERR_LIMIT, "more than %d addresses",
		    SSP_TICKET_ADDRS_MAX);
	end = text + strlen(text);
	if (*text == '[' && strchr(text, ']') != NULL) {
		end = strchr(++text, ']');
		colon = end[1] == ':' ? end + 1 : NULL;
	} else if (strchr(text, ':') == strrchr(text, ':'))
		colon = strchr(text, ':');
	if (colon != NULL && *text != '[' && end > colon)
		end = colon;
	if ((colon != NULL && str_to_int(colon + 1, 1, 65535, &n) != 0) ||
	    (size_t)(end - text) > SSP_TICKET_ADDR_MAX)
		return cause_set(c, -ERR_SYNTAX, "not an address: %s", text);
	memcpy(a->host, text, (size_t)(end - text));
	a->host[end - text] = '\0';
	a->port = (uint16_t)n;
	if (!ssp_ticket_host(a->host))
		return cause_set(c, -ERR_SYNTAX, "not an address: %s", text);
	t->naddrs++;
	return 0;
}

/* The machine's own, without those that lead nowhere else. */
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
		/* A link-local address means nothing elsewhere. */
		if (getnameinfo(i->ifa_addr, len, host, sizeof(host), NULL, 0,
			NI_NUMERICHOST) == 0 &&
		    strchr(host, '%') == NULL)
			(void)ticket_add(t, host, port, NULL);
	}
	freeifaddrs(all);
}

int
invite_new(struct server *sv, const struct invite_spec *spec,
    struct ssp_ticket *t, struct cause *c)
{
	struct invites *is;
	struct invite *inv;
	uint16_t port;
	size_t i;
	int r;

	if ((r = remote_port(sv, &port, c)) != 0)
		return r;
	if (sv->invites == NULL)
		sv->invites = invites_new(sv);
	if ((is = sv->invites) == NULL)
		return cause_set(c, -ERR_SYS, "no memory for keys");
	memset(t, 0, sizeof(*t));
	for (i = 0; spec->addrs[i] != NULL; i++)
		if ((r = ticket_add(t, spec->addrs[i], port, c)) != 0)
			return r;
	ticket_add_own(t, port);
	if (t->naddrs == 0)
		(void)ticket_add(t, "127.0.0.1", port, NULL);
	inv = mem_zalloc(sizeof(*inv));
	if ((inv->key = ssp_keyring_take(is->keyring)) == NULL) {
		mem_free(inv);
		return cause_set(
		    c, -ERR_LIMIT, "more than %d invitations", INVITES_MAX);
	}
	sys_random(inv->key, SSP_KEY_LEN);
	sys_random(&inv->tag, sizeof(inv->tag));
	inv->id = ++is->next;
	inv->spec = *spec;
	inv->spec.name = NULL;
	inv->spec.addrs = NULL;
	inv->name = spec->name == NULL ? NULL : mem_strdup(spec->name);
	inv->until = mono_add(loop_now(sv->loop), spec->length);
	list_push_back(&is->all, &inv->node);
	t->tag = inv->tag;
	memcpy(t->key, inv->key, SSP_KEY_LEN);
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

	LIST_FOREACH(n, &is->sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->invite != inv->id)
			continue;
		(void)buf_addf(out, "%s%s", before, vw->client->name);
		before = ", ";
	}
}

void
invite_list(struct server *sv, struct buf *out)
{
	const struct invites *is = sv->invites;
	mono_ms now = loop_now(sv->loop);
	const struct session *s;
	struct list_node *n;
	struct invite *inv;
	uint64_t left;

	if (is == NULL)
		return;
	LIST_FOREACH(n, &is->all) {
		inv = container_of(n, struct invite, node);
		s = mux_session(sv->mux, inv->spec.session);
		left = mono_until(now, inv->until) / 1000;
		(void)buf_addf(out,
		    "%u: %s, session %s, %s%s, ends in %lluh%02llum%02llus, "
		    "%zu here",
		    inv->id, client_role_name(inv->spec.role),
		    s == NULL ? "" : s->name, inv->spec.once ? "once" : "many",
		    inv->key == NULL ? " (used)" : "",
		    (unsigned long long)(left / 3600),
		    (unsigned long long)(left / 60 % 60),
		    (unsigned long long)(left % 60), invite_guests(is, inv));
		put_guests(is, inv, out);
		(void)buf_add(out, "\n", 1);
	}
}

bool
invite_revoke(struct server *sv, unsigned id)
{
	struct list_node *n, *tmp;
	struct invite *inv;
	bool any = false;

	if (sv->invites == NULL)
		return false;
	LIST_FOREACH_SAFE(n, &sv->invites->all, tmp) {
		inv = container_of(n, struct invite, node);
		if (id != 0 && inv->id != id)
			continue;
		invite_end(sv->invites, inv, "the invitation was revoked");
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

/* A client for the guest, shown SESSION. */
static struct viewer *
invite_viewer(struct invites *is, struct invite *inv, uint64_t cid,
    const uint8_t *psk, struct session *s)
{
	struct server *sv = is->sv;
	struct cause c = { NULL };
	struct client *cl;
	struct viewer *vw;

	mux_set_now(sv->mux, loop_now(sv->loop), sys_wall() * 1000);
	cl = client_new(sv->mux, "guest");
	cl->guest = true;
	client_set_role(cl, inv->spec.role);
	if ((vw = viewer_new_guest(sv, cl, cid, psk, &c)) == NULL) {
		client_free(cl);
		cause_fini(&c);
		return NULL;
	}
	vw->invite = inv->id;
	client_set_session(cl, s);
	server_drain(sv);
	return vw;
}

struct remote *
invite_admit(
    struct server *sv, const struct ssp_dgram *d, const uint8_t *p, size_t n)
{
	struct invites *is = sv->invites;
	struct invite *inv = NULL;
	uint8_t psk[SSP_KEY_LEN];
	struct list_node *at;
	struct viewer *vw;
	struct session *s;
	bool opens;

	if (is == NULL || d->type != SSP_DGRAM_INIT || sv->exiting)
		return NULL;
	LIST_FOREACH(at, &is->all) {
		inv = container_of(at, struct invite, node);
		if (inv->key != NULL && inv->tag == ssp_ticket_tag(d->cid))
			break;
		inv = NULL;
	}
	/* security: a connection id comes in once: no replay of an INIT. */
	if (inv == NULL || loop_now(sv->loop) >= inv->until ||
	    invite_has_come(inv, d->cid) ||
	    inv->join_count >= INVITE_JOINS_MAX ||
	    invite_guests(is, inv) >= INVITE_GUESTS_MAX ||
	    (s = mux_session(sv->mux, inv->spec.session)) == NULL)
		return NULL;
	ssp_ticket_psk(psk, inv->key, d->cid);
	opens = ssp_ticket_opens(psk, d->cid, p, n);
	vw = opens ? invite_viewer(is, inv, d->cid, psk, s) : NULL;
	mem_wipe(psk, sizeof(psk));
	if (vw == NULL)
		return NULL;
	inv->joins =
	    mem_resize(inv->joins, inv->join_count + 1, sizeof(*inv->joins));
	inv->joins[inv->join_count++] = (uint32_t)d->cid;
	if (inv->spec.once)
		invite_close(is, inv);
	return vw->remote;
}

bool
invite_spent(const struct viewer *vw)
{
	const struct list_node *n;
	const struct invite *inv;

	if (vw->invite == 0 || vw->sv->invites == NULL)
		return vw->invite != 0;
	LIST_FOREACH(n, &vw->sv->invites->all) {
		inv = container_of(n, struct invite, node);
		if (inv->id == vw->invite)
			return inv->key == NULL;
	}
	return true;
}

/* --- what it is called -------------------------------------------------------------------- */

/*
 * security: names come into status lines, formats and shell commands that use
 * formats: letters, digits and - . _ only, and what is not ASCII if it has a
 * width.
 */
static char *
clean_name_new(const struct grapheme_table *t, const char *p, size_t n)
{
	struct buf b;
	uint32_t cp;
	size_t used;
	int count = 0;

	buf_init(&b, INVITE_NAME_MAX * 4 + 16);
	while (n > 0 && *p != '\0' && count < INVITE_NAME_MAX) {
		used = utf8_decode_final((const uint8_t *)p, n, &cp);
		if ((cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') ||
		    (cp >= '0' && cp <= '9') || (cp == '-' && b.len > 0) ||
		    cp == '_' || (cp == '.' && b.len > 0) ||
		    (cp > 0xa0 && cp != UTF8_REPLACEMENT &&
			grapheme_cp_width(t, cp) > 0)) {
			(void)buf_add(&b, p, used);
			count++;
		}
		p += used;
		n -= used;
	}
	if (b.len == 0)
		(void)buf_add_str(&b, "guest");
	return buf_steal(&b, NULL);
}

/* Letters, digits, commas and dashes. */
static char *
clean_word_new(const char *p, size_t n)
{
	struct buf b;
	size_t i;

	buf_init(&b, 256);
	for (i = 0; i < n && i < 255 && p[i] != '\0'; i++)
		if ((p[i] >= 'a' && p[i] <= 'z') ||
		    (p[i] >= 'A' && p[i] <= 'Z') ||
		    (p[i] >= '0' && p[i] <= '9') || p[i] == '-' ||
		    p[i] == ',' || p[i] == '.' || p[i] == '+')
			(void)buf_add(&b, p + i, 1);
	return buf_steal(&b, NULL);
}

static bool
name_taken(const struct mux *m, const struct client *c, const char *name)
{
	const struct map_entry *e;

	MAP_FOREACH(e, &m->clients)
		if (e->value != c &&
		    strcmp(((const struct client *)e->value)->name, name) == 0)
			return true;
	return false;
}

/* NAME, or NAME-2 and so on: a client is found by its name. */
static void
set_name(struct viewer *vw, const char *p, size_t n)
{
	const struct mux *m = vw->sv->mux;
	char *name = clean_name_new(vw->sv->graphemes, p, n), *numbered;
	unsigned i;

	numbered = mem_strdup(name);
	for (i = 2; name_taken(m, vw->client, numbered); i++) {
		mem_free(numbered);
		numbered = mem_printf("%s-%u", name, i);
	}
	client_set_text(vw->client, &vw->client->name, numbered);
	client_set_text(vw->client, &vw->client->user, numbered);
	mem_free(numbered);
	mem_free(name);
}

static const char *
invite_name(const struct viewer *vw)
{
	const struct list_node *n;
	const struct invite *inv;

	if (vw->sv->invites != NULL)
		LIST_FOREACH(n, &vw->sv->invites->all) {
			inv = container_of(n, struct invite, node);
			if (inv->id == vw->invite)
				return inv->name;
		}
	return NULL;
}

void
invite_hello(struct viewer *vw, const struct sync_event *ev)
{
	const char *given = invite_name(vw);
	size_t n = strnlen(ev->data, ev->len);
	char *word;

	if (!vw->client->guest || vw->greeted)
		return;
	vw->greeted = true;
	set_name(vw, given != NULL ? given : ev->data,
	    given != NULL ? strlen(given) : n);
	client_set_flags(vw->client, CLIENT_UTF8, (ev->flags & 1) != 0);
	if (n < ev->len) {
		word = clean_word_new(ev->data + n + 1, ev->len - n - 1);
		client_set_text(vw->client, &vw->client->term, word);
		mem_free(word);
	}
	people_joined(vw->sv, vw->client);
}

char *
invite_word_new(const struct client *c, const char *p, size_t n)
{
	return c->guest ? clean_word_new(p, n) : mem_strndup(p, n);
}
