/*
 * server/run/access.h - the Unix users and groups that may use the server.
 *
 * Purpose:   keeps the list of server-access and tells what a peer may do.
 * Ownership: plain value; access_fini frees its entries.
 * Errors:    -ERR_LIMIT over ACCESS_MAX entries.
 * Source:    server-access of tmux(1).
 * Tests:     regress/unit/check_access.c, regress/e2e/access.sh
 *
 * The owner of the server and root are in no list: they may do everything.
 */
#ifndef SERVER_RUN_ACCESS_H
#define SERVER_RUN_ACCESS_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#define ACCESS_MAX 1024

enum access {
	ACCESS_NONE,
	ACCESS_READ, /* to attach and look, with the limits of a guest */
	ACCESS_WRITE /* everything that the owner may do */
};

struct access_entry {
	bool group;
	bool write;
	id_t id;
};

/* Users first, then groups; each in order of their numbers. */
struct access_list {
	struct access_entry *entries;
	size_t count;
};

/* A process that has connected. */
struct access_peer {
	uid_t uid;
	gid_t *gids; /* all its groups */
	size_t gid_count;
};

void access_fini(struct access_list *l);

/* Returns the entry of a user or group, or NULL. */
const struct access_entry *access_find(
    const struct access_list *l, bool group, id_t id);

/* Adds or changes an entry. */
int access_set(struct access_list *l, bool group, id_t id, bool write);

/* Removes an entry; false: there is none. */
bool access_remove(struct access_list *l, bool group, id_t id);

/*
 * Returns what a peer of the server of user OWNER may do. The entry of a user
 * counts before those of its groups, of which the strongest one counts.
 */
enum access access_of(
    const struct access_list *l, uid_t owner, const struct access_peer *p);

#endif
