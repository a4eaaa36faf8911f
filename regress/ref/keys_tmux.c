/*
 * keys_tmux.c - compares the built-in bindings with those of a real tmux.
 *
 *   keys_tmux WHY LIST
 *
 * LIST is what "tmux list-keys" printed; it is read by our own parser.  WHY
 * has a line "table key: reason" for each binding of tmux that is not ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/key_name.h"

#define MAX_TEXT (1u << 20)

static char *
read_file(const char *path)
{
	char *text = mem_zalloc(MAX_TEXT);
	FILE *fp = fopen(path, "r");

	if (fp == NULL || fread(text, 1, MAX_TEXT - 1, fp) == 0)
		exit(99);
	fclose(fp);
	return text;
}

static void
report(void *arg, const char *file, unsigned line, const char *text)
{
	(void)arg;
	(void)file;
	printf("# line %u: %s\n", line, text);
}

/* Runs the bind-keys that tmux printed. */
static struct keytables *
load(const char *text)
{
	struct keytables *set = keytables_new(&bind_ops);
	struct parser_hooks hooks = { .error = report };
	struct cause cause = { NULL };
	struct cmdlist *list;
	size_t i;

	(void)parser_parse(text, strlen(text), "tmux", 1, &hooks, &list);
	for (i = 0; i < list->count; i++) {
		if (bind_run(set, list->cmds[i]->args, NULL, &cause) != 0)
			printf("# %s\n", cause_text(&cause));
		cause_fini(&cause);
	}
	cmdlist_unref(list);
	return set;
}

/* The reason why a binding differs, or NULL. */
static char *
find_reason(const char *why, const char *table, const char *key)
{
	char start[128];
	const char *p, *end;

	(void)snprintf(start, sizeof(start), "%s %s: ", table, key);
	for (p = why; p != NULL && *p != '\0'; p = end) {
		end = strchr(p, '\n');
		end = end == NULL ? p + strlen(p) : end + 1;
		if (strncmp(p, start, strlen(start)) == 0)
			return mem_strndup(p + strlen(start),
			    (size_t)(end - p) - strlen(start) - 1);
	}
	return NULL;
}

static int
compare(struct keytables *ours, const struct keytable *t,
    const struct keybinding *kb, const char *why, int n)
{
	const struct keytable_widths w = { 0, 0, false };
	const struct keytable *mine = keytables_find(ours, t->name);
	const struct keybinding *own = NULL;
	char name[KEY_NAME_MAX], *reason;
	struct buf a, b;
	bool same, ok;

	(void)key_name_format(kb->key, name, sizeof(name));
	buf_init(&a, MAX_TEXT);
	buf_init(&b, MAX_TEXT);
	keytables_print(ours, t, kb, &w, &a);
	if (mine != NULL)
		own = keytable_get(mine, kb->key);
	if (own != NULL)
		keytables_print(ours, mine, own, &w, &b);
	same = strcmp(buf_cstr(&a), buf_cstr(&b)) == 0;
	reason = find_reason(why, t->name, name);
	/* A reason for a binding that no longer differs is an error, too. */
	ok = same == (reason == NULL);
	printf("%sok %d - %s %s%s%s\n", ok ? "" : "not ", n, t->name, name,
	    reason != NULL ? ": " : "", reason != NULL ? reason : "");
	if (!ok)
		printf("# tmux %s\n# ours %s\n", buf_cstr(&a), buf_cstr(&b));
	buf_fini(&a);
	buf_fini(&b);
	mem_free(reason);
	return ok ? 0 : 1;
}

int
main(int argc, char **argv)
{
	struct keytables *ours = keytables_new(&bind_ops), *theirs;
	struct cause cause = { NULL };
	const struct keytable *t;
	char *why, *text;
	int n = 0, failed = 0;
	size_t i, k;

	if (argc != 3 || bind_load_defaults(ours, &cause) != 0)
		return 99;
	why = read_file(argv[1]);
	text = read_file(argv[2]);
	theirs = load(text);
	for (i = 0; i < keytables_count(theirs); i++) {
		t = keytables_at(theirs, i);
		for (k = 0; k < t->count; k++)
			failed += compare(ours, t, &t->bindings[k], why, ++n);
	}
	printf("# %d bindings, %d failed\n1..%d\n", n, failed, n);
	keytables_free(ours);
	keytables_free(theirs);
	mem_free(why);
	mem_free(text);
	return failed > 0 || n == 0;
}
