/*
 * regress/ref/copy-covers.list names the test of each command of copy mode and
 * of each key of its two tables, or the reason why there is none; every row
 * must have one that mentions it.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/mode/copy_int.h"
#include "regress/unit/unit.h"

static char *
read_whole(const char *name)
{
	const char *top = getenv("top_srcdir");
	char *path = mem_printf("%s/%s", top == NULL ? "." : top, name);
	FILE *f = fopen(path, "r");
	struct buf text;
	char part[4096];
	size_t n;

	ck_assert_msg(f != NULL, "cannot open %s", path);
	buf_init(&text, BUF_MAX);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		(void)buf_add(&text, part, n);
	(void)fclose(f);
	mem_free(path);
	(void)buf_cstr(&text);
	return buf_steal(&text, NULL);
}

/* "KIND NAME<tab>FILE": the file of a row as a new string, or NULL. */
static char *
file_of(const char *list, const char *kind, const char *name)
{
	char *head = mem_printf("\n%s %s\t", kind, name);
	const char *at = strstr(list, head);
	size_t n = strlen(head);

	mem_free(head);
	if (at == NULL)
		return NULL;
	at += n;
	return mem_strndup(at, strcspn(at, "\n"));
}

/* True if TEXT has the words KIND and NAME side by side, or the case of X. */
static bool
names_both(const char *text, const char *kind, const char *name)
{
	char *both = strcmp(kind, "X") == 0 ? mem_printf("{ \"%s", name)
					    : mem_printf("%s %s", kind, name);
	const size_t n = strlen(both);
	const char *at = text;
	bool found = false;

	while (!found && (at = strstr(at, both)) != NULL) {
		found = strchr(" \t\n'\"", at[n]) != NULL;
		at += n;
	}
	mem_free(both);
	return found;
}

/*
 * copy-tmux.list: "X1 NAME" or, in a script with the keys of the table,
 * "K1 KEY".
 */
static bool
is_replayed(const char *text, const char *kind, const char *name)
{
	const bool vi = strcmp(kind, "copy-mode-vi") == 0;
	const char *line = text, *at;
	bool here = true;
	size_t n = strlen(name);
	char letter = strcmp(kind, "X") == 0 ? 'X' : 'K';

	for (; *line != '\0'; line += strcspn(line, "\n"), line += *line != 0) {
		if (*line == '@' && letter == 'K')
			here = (strncmp(line + strcspn(line, " "), " vi ", 4) ==
				   0) == vi;
		if (*line != letter || !here)
			continue;
		at = line + strcspn(line, " ") + 1;
		if (strncmp(at, name, n) == 0 && strchr(" \t\n", at[n]) != NULL)
			return true;
	}
	return false;
}

struct files {
	char *name[16];
	char *text[16];
	size_t count;
};

static const char *
text_of(struct files *f, const char *name)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		if (strcmp(f->name[i], name) == 0)
			return f->text[i];
	ck_assert_uint_lt(f->count, ARRAY_LEN(f->name));
	f->name[f->count] = mem_strdup(name);
	f->text[f->count] = read_whole(name);
	return f->text[f->count++];
}

static void
check_row(struct files *f, const char *kind, const char *name)
{
	static const char cover[] = "regress/ref/copy-covers.list";
	char *file = file_of(text_of(f, cover), kind, name);
	const char *text;

	ck_assert_msg(
	    file != NULL, "%s has no row of %s %s", cover, kind, name);
	/* "- " and the reason why there is none. */
	if (strncmp(file, "- ", 2) == 0) {
		mem_free(file);
		return;
	}
	text = text_of(f, file);
	ck_assert_msg(strcmp(file, "regress/ref/copy-tmux.list") == 0
			  ? is_replayed(text, kind, name)
			  : names_both(text, kind, name),
	    "%s: %s %s: %s does not test it", cover, kind, name, file);
	mem_free(file);
}

static void
files_free(struct files *f)
{
	while (f->count > 0) {
		mem_free(f->name[--f->count]);
		mem_free(f->text[f->count]);
	}
}

START_TEST(every_command_has_a_test)
{
	struct files f = { .count = 0 };
	size_t i;

	/* They are looked up by halves. */
	for (i = 1; i < copy_row_count; i++)
		ck_assert_int_lt(
		    strcmp(copy_rows[i - 1].name, copy_rows[i].name), 0);
	for (i = 0; i < copy_row_count; i++)
		check_row(&f, "X", copy_rows[i].name);
	files_free(&f);
}
END_TEST

/* Takes a backslash or quotation marks off a key. */
static char *
plain_key(char *key)
{
	size_t n = strlen(key);

	if (n > 1 && *key == '\\')
		return key + 1;
	if (n > 2 && *key == '"') {
		key[n - 1] = '\0';
		return key + 1;
	}
	return key;
}

START_TEST(every_key_has_a_test)
{
	struct files f = { .count = 0 };
	char *text = read_whole("conf/default.conf"), *line, *next;
	char table[32], key[64];
	unsigned keys = 0;

	for (line = text; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (sscanf(line, "bind -T %31s %63s", table, key) != 2 ||
		    strncmp(table, "copy-mode", 9) != 0)
			continue;
		check_row(&f, table, plain_key(key));
		keys++;
	}
	ck_assert_uint_gt(keys, 150);
	mem_free(text);
	files_free(&f);
}
END_TEST

UNIT_SUITE(mode_copy_covers)
{
	Suite *s = suite_create("mode_copy_covers");
	TCase *tc = tcase_create("copy_covers");

	tcase_add_test(tc, every_command_has_a_test);
	tcase_add_test(tc, every_key_has_a_test);
	suite_add_tcase(s, tc);
	return s;
}
