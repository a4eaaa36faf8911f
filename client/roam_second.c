/*
 * The second path: sockets that send by one interface each, beside those for
 * which the system chooses.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/netif.h"
#include "base/str.h"
#include "client/roam_int.h"
#include "mux/sync/view.h"
#include "ssp/io/udp_link.h"

#define SECOND_MAX 3 /* interfaces used beside the system's choice */

void
roam_second_open(struct roam *r)
{
	r->netif = netif_open();
}

void
roam_second_close(struct roam *r)
{
	if (r->netif >= 0)
		close(r->netif);
	r->netif = -1;
}

bool
roam_interfaces_valid(const char *list)
{
	size_t n;

	do {
		n = strcspn(list, ",");
		if (n == 0 || n >= NETIF_NAME)
			return false;
		list += n;
	} while (*list++ == ',');
	return true;
}

/* Returns whether the list "a,b" has NAME. */
static bool
second_named(const char *list, const char *name)
{
	size_t len = strlen(name), n;

	do {
		n = strcspn(list, ",");
		if (n == len && strncmp(list, name, n) == 0)
			return true;
		list += n;
	} while (*list++ == ',');
	return false;
}

/* What the user says here, or the server's option. */
static enum ssp_paths_use
second_use(const struct roam *r)
{
	const struct sync_view *v = ssp_transport_remote(r->bind.tp, NULL);

	if (r->cfg->paths != 0)
		return (enum ssp_paths_use)(r->cfg->paths - 1);
	if (v->tty.flags & SYNC_TTY_PATHS_SINGLE)
		return SSP_PATHS_SINGLE;
	if (v->tty.flags & SYNC_TTY_PATHS_AGGREGATE)
		return SSP_PATHS_AGGREGATE;
	return v->tty.flags & SYNC_TTY_PATHS_DUPLICATE ? SSP_PATHS_DUPLICATE
						       : SSP_PATHS_STANDBY;
}

/* Whether the interface is one to use beside the system's choice. */
static bool
second_wanted(const struct roam *r, const struct netif *n)
{
	if (n->chosen)
		return false;
	/* What may cost money is used if its user names it. */
	return r->cfg->interfaces == NULL
		   ? !n->metered
		   : second_named(r->cfg->interfaces, n->name);
}

static const struct netif *
second_find(const struct netif *all, size_t n, unsigned index)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (all[i].index == index)
			return &all[i];
	return NULL;
}

/* Closes the sockets of interfaces that are not to be used any more. */
static void
second_prune(struct roam *r, const struct ssp_conn_stats *st,
    const struct netif *all, size_t n)
{
	struct ssp_path_addr path;
	struct roam_socket *s;
	const struct netif *is;

	for (s = r->sockets; s < r->sockets + ROAM_SOCKETS; s++) {
		if (s->udp == NULL || s->interface == 0)
			continue;
		is = second_find(all, n, s->interface);
		path = udp_link_path(s->udp, &s->to);
		if (is != NULL && second_wanted(r, is) &&
		    ssp_addr_equal(&s->to, &st->active.remote))
			continue;
		/* That which carries the session stays until another does. */
		if (ssp_addr_equal(&path.local, &st->active.local))
			continue;
		ssp_conn_path_remove(r->conn, loop_now(r->loop), &path);
		roam_socket_close(s);
	}
}

static bool
second_has(const struct roam *r, unsigned index)
{
	int i;

	for (i = 0; i < ROAM_SOCKETS; i++)
		if (r->sockets[i].udp != NULL &&
		    r->sockets[i].interface == index)
			return true;
	return false;
}

void
roam_second_check(struct roam *r)
{
	struct netif all[NETIF_MAX];
	struct ssp_conn_stats st;
	enum ssp_paths_use use;
	struct udp_addr to;
	size_t n = 0, i, used = 0;

	ssp_conn_stats(r->conn, &st);
	if (st.state != SSP_CONN_UP || st.active.remote.kind != SSP_ADDR_UDP)
		return;
	use = second_use(r);
	r->second_use = use;
	ssp_conn_paths(r->conn, loop_now(r->loop), use);
	to = udp_link_udp_addr(&st.active.remote);
	if (use != SSP_PATHS_SINGLE && r->netif >= 0 &&
	    (st.peer_caps & SSP_CAP_PATHS) != 0)
		n = netif_list(r->netif, &to, all, NETIF_MAX);
	second_prune(r, &st, all, n);
	for (i = 0; i < n && used < SECOND_MAX; i++) {
		if (!second_wanted(r, &all[i]))
			continue;
		used++;
		if (!second_has(r, all[i].index))
			(void)roam_path_open(r, &st.active.remote, &all[i]);
	}
}

void
roam_second_news(struct roam *r)
{
	if (second_use(r) != r->second_use)
		roam_second_check(r);
}

void
roam_second_tell(const struct roam *r, char *out, size_t size)
{
	struct ssp_conn_stats st;
	const char *use;
	char more[128];

	ssp_conn_stats(r->conn, &st);
	*out = '\0';
	if (!st.has_second)
		return;
	use = r->second_use == SSP_PATHS_DUPLICATE   ? "duplicate"
	      : r->second_use == SSP_PATHS_AGGREGATE ? "aggregate"
						     : "standby";
	snprintf(out, size, "\nsecond path (%s) RTT %llu ms, %llu copies", use,
	    (unsigned long long)st.second_srtt, (unsigned long long)st.copies);
	if (r->second_use != SSP_PATHS_AGGREGATE)
		return;
	snprintf(more, sizeof(more),
	    ", %llu kB in and %llu out, on the first %llu and %llu",
	    (unsigned long long)(st.second_in / 1000),
	    (unsigned long long)(st.second_out / 1000),
	    (unsigned long long)(st.active_in / 1000),
	    (unsigned long long)(st.active_out / 1000));
	str_append(out, more, size);
}
