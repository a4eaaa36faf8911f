/*
 * Replays scripts of copy mode whose answers tmux 3.8 gave, from
 * regress/ref/copy-tmux.list; regress/ref/copy_random.py -w writes that file
 * and says in its head what each line means.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_int.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define WORDS_MAX 16
#define SCRIPTS_MIN 560

/* The fields of an answer: the name in the file, and the variables. */
static const struct field {
	char name;
	const char *first;
	const char *between;
	const char *second;
} fields[] = {
	{ 'c', "copy_cursor_x", ",", "copy_cursor_y" },
	{ 'p', "scroll_position", "", NULL },
	{ 'a', "selection_active", "", "selection_present" },
	{ 'u', "selection_mode", "", NULL },
	{ 's', "selection_start_x", ",", "selection_start_y" },
	{ 'e', "selection_end_x", ",", "selection_end_y" },
	{ 'R', "rectangle_toggle", "", NULL },
	{ 'f', "search_present", "", "search_count_partial" },
	{ 'n', "search_count", "", NULL },
	{ 'M', "search_match", "", NULL },
	{ 'w', "copy_cursor_word", "", NULL },
	{ 'l', "copy_cursor_line", "", NULL },
	{ 'r', "refresh_active", "", NULL },
	{ 'N', "copy_line_numbers", "", NULL },
	{ 'q', "copy_position", "/", "copy_position_limit" },
};

struct replay {
	struct mux *mux;
	struct pane *p;
	char separators[64];
	bool vi;
	char *want[128];   /* the field of that name after the last step */
	char *buffers[64]; /* oldest first */
	size_t nbuffers;
	unsigned line; /* of the file */
};

/* Replaces \t \n \r \e \s (a blank) \\ by the bytes. */
static void
unescape(char *s)
{
	static const char from[] = "tnres\\", to[] = "\t\n\r\033 \\";
	const char *at;
	char *out = s;

	for (; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0' &&
		    (at = strchr(from, s[1])) != NULL) {
			*out++ = to[at - from];
			s++;
		} else {
			*out++ = *s;
		}
	}
	*out = '\0';
}

static void
set_option(struct options *o, const char *name, const char *value)
{
	struct cause why = { NULL };

	ck_assert_int_eq(options_set_text(o, name, value, &why), 0);
}

static void
end_script(struct replay *r)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(r->want); i++) {
		mem_free(r->want[i]);
		r->want[i] = NULL;
	}
	for (i = 0; i < r->nbuffers; i++)
		mem_free(r->buffers[i]);
	r->nbuffers = 0;
	if (r->mux != NULL)
		mux_util_free(r->mux);
	r->mux = NULL;
}

/* "@20x5 vi wrap SEPARATORS NUMBERS": makes the pane. */
static void
begin_script(struct replay *r, char *line)
{
	struct vt_term_options opt = { .history_rows = 2000,
		.history_bytes = SIZE_MAX };
	struct session *s;
	char keys[8], wrap[8], separators[64], numbers[16] = "off";
	unsigned w, h;

	end_script(r);
	ck_assert_int_ge(sscanf(line, "%ux%u %7s %7s %63s %15s", &w, &h, keys,
			     wrap, separators, numbers),
	    5);
	unescape(separators);
	(void)str_copy(r->separators,
	    strcmp(separators, "\"\"") == 0 ? "" : separators,
	    sizeof(r->separators));
	r->vi = strcmp(keys, "vi") == 0;
	r->mux = mux_util_new();
	s = mux_util_session(r->mux, "s");
	r->p = s->current->window->active;
	opt.cols = w;
	opt.rows = h;
	opt.pool = r->mux->setup.pool;
	opt.graphemes = r->mux->setup.graphemes;
	pane_set_term(r->p, vt_term_new(&opt));
	pane_place(r->p, &(struct cell_rect){ .w = (int)w, .h = (int)h });
	set_option(&s->options, "word-separators", r->separators);
	set_option(&r->p->window->options, "mode-keys", keys);
	set_option(&r->p->window->options, "wrap-search",
	    strcmp(wrap, "wrap") == 0 ? "on" : "off");
	set_option(&r->p->window->options, "copy-mode-line-numbers", numbers);
}

static void
output(struct replay *r, const char *text)
{
	vt_term_write(r->p->term, (const uint8_t *)text, strlen(text));
	mode_event(r->p, MODE_EVENT_OUTPUT);
}

static void
take_effect(struct replay *r, const struct mode_effect *e)
{
	char *old, **last = &r->buffers[r->nbuffers];

	ck_assert_uint_lt(r->nbuffers, ARRAY_LEN(r->buffers));
	if (e->append && r->nbuffers > 0) {
		old = last[-1];
		last[-1] = mem_printf("%s%s", old, e->text);
		mem_free(old);
	} else if (e->append || e->buffer) {
		*last = mem_strdup(e->text);
		r->nbuffers++;
	}
}

static void
run(struct replay *r, char **words, size_t count, unsigned repeat)
{
	struct mode_effects effects;
	struct mode_command cmd = { .words = (const char *const *)words,
		.count = count,
		.repeat = repeat,
		.separators = r->separators,
		.effects = &effects };
	struct cause why = { NULL };
	const struct list_node *n;

	mode_effects_init(&effects);
	/* It fails where there is no mode; tmux says so too. */
	if (mode_command(r->p, &cmd, &why) != 0)
		cause_fini(&why);
	while (mode_effects_more(&effects))
		;
	LIST_FOREACH(n, &effects.list)
		take_effect(r, container_of(n, const struct mode_effect, node));
	mode_effects_fini(&effects);
}

/* "COUNT word word", an empty word being "": the words that follow COUNT. */
static size_t
split(char *line, unsigned *count, char **words)
{
	char *save = NULL, *w = strtok_r(line, " ", &save);
	size_t n = 0;

	*count = (unsigned)strtoul(w, NULL, 10);
	while (n < WORDS_MAX && (w = strtok_r(NULL, " ", &save)) != NULL) {
		words[n] = strcmp(w, "\"\"") == 0 ? w + 2 : w;
		unescape(words[n++]);
	}
	return n;
}

static void
command(struct replay *r, char *line)
{
	char *words[WORDS_MAX];
	unsigned repeat;
	size_t n = split(line, &repeat, words);

	run(r, words, n, repeat);
}

/* --- keys -------------------------------------------------------------------- */

static char *bindings; /* the text of conf/default.conf */

/* The commands "send-keys -X ..." of a key as a new string, or NULL. */
static char *
binding(const char *table, const char *key)
{
	static const char *const quotes[] = { "", "\\", "\"" };
	char head[96], *at = NULL, *end;
	size_t i;

	for (i = 0; i < ARRAY_LEN(quotes) && at == NULL; i++) {
		(void)snprintf(head, sizeof(head),
		    "\nbind -T %s %s%s%s send-keys ", table, quotes[i], key,
		    *quotes[i] == '"' ? "\"" : "");
		at = strstr(bindings, head);
	}
	if (at == NULL)
		return NULL;
	at += strlen(head);
	end = strchr(at, '\n');
	return mem_strndup(at, (size_t)(end - at));
}

static void
press(struct replay *r, const char *key)
{
	char *words[WORDS_MAX], *line, *save = NULL, *w;
	struct buf value;
	size_t n = 0;

	line = binding(r->vi ? "copy-mode-vi" : "copy-mode", key);
	ck_assert_msg(line != NULL, "line %u: no binding of %s", r->line, key);
	buf_init(&value, BUF_MAX);
	for (w = strtok_r(line, " ", &save); w != NULL && n < WORDS_MAX;
	     w = strtok_r(NULL, " ", &save)) {
		if (strcmp(w, "-X") == 0 || strcmp(w, "-FX") == 0)
			continue;
		if (strstr(w, "#{copy_cursor_word}") != NULL) {
			(void)pane_mode_format(
			    r->p, "copy_cursor_word", &value);
			words[n++] = (char *)(uintptr_t)buf_cstr(&value);
		} else {
			words[n++] = w;
		}
	}
	run(r, words, n, 1);
	buf_fini(&value);
	mem_free(line);
}

static void
keys(struct replay *r, char *line)
{
	char *word[WORDS_MAX];
	unsigned repeat;

	ck_assert_uint_eq(split(line, &repeat, word), 1);
	/* The mode may end before the last one. */
	for (; repeat > 0 && copy_mode_top(r->p) != NULL; repeat--)
		press(r, word[0]);
}

/* --- answers ------------------------------------------------------------------- */

static void
add_value(struct replay *r, const char *name, struct buf *out)
{
	if (name != NULL)
		(void)pane_mode_format(r->p, name, out);
}

static void
check_field(struct replay *r, const struct field *f, const char *step)
{
	const char *want = r->want[(unsigned char)f->name];
	struct buf got;

	buf_init(&got, BUF_MAX);
	add_value(r, f->first, &got);
	(void)buf_add_str(&got, f->between);
	add_value(r, f->second, &got);
	ck_assert_msg(strcmp(buf_cstr(&got), want == NULL ? "" : want) == 0,
	    "copy-tmux.list:%u: %s: %s is \"%s\", in tmux \"%s\"", r->line,
	    step, f->first, buf_cstr(&got), want == NULL ? "" : want);
	buf_fini(&got);
}

/* "c3,4\tp2": the fields that have changed. */
static void
check_answer(struct replay *r, char *answer, const char *step)
{
	char *save = NULL, *w;
	const char *want;
	size_t i;

	for (w = strtok_r(answer, "\t", &save); w != NULL;
	     w = strtok_r(NULL, "\t", &save)) {
		unescape(w);
		mem_free(r->want[(unsigned char)*w & 127]);
		r->want[(unsigned char)*w & 127] = mem_strdup(w + 1);
	}
	want = r->want['m'];
	ck_assert_msg(
	    (copy_mode_top(r->p) != NULL) == (want != NULL && *want != '0'),
	    "copy-tmux.list:%u: %s: pane_in_mode", r->line, step);
	for (i = 0; i < ARRAY_LEN(fields); i++)
		check_field(r, &fields[i], step);
	want = r->want['S'];
	ck_assert_str_eq(
	    r->p->search == NULL ? "" : r->p->search, want == NULL ? "" : want);
}

static void
open_mode(struct replay *r, const char *options)
{
	unsigned flags = 0;

	if (strchr(options, 'q') != NULL) {
		pane_pop_modes(r->p);
		return;
	}
	if (strchr(options, 'e') != NULL)
		flags |= COPY_OPEN_SCROLL_EXIT;
	if (strchr(options, 'H') != NULL)
		flags |= COPY_OPEN_HIDE_POSITION;
	ck_assert_int_eq(copy_mode_open(r->p, r->p, flags), 0);
	if (strchr(options, 'u') != NULL)
		copy_mode_page_up(r->p);
	if (strchr(options, 'd') != NULL)
		copy_mode_page_down(r->p, strchr(options, 'e') != NULL);
}

static void
resize(struct replay *r, const char *line)
{
	int w, h;

	ck_assert_int_eq(sscanf(line, "%dx%d", &w, &h), 2);
	if (w == r->p->w && h == r->p->h)
		return;
	pane_place(r->p, &(struct cell_rect){ .w = w, .h = h });
	mode_resize(r->p);
}

/* Does the step of a line, and compares what the mode says then. */
static void
do_step(struct replay *r, char *line)
{
	char *answer = strchr(line, '\t'), *step = mem_strdup(line);

	if (answer != NULL)
		*answer++ = '\0';
	switch (*line) {
	case '+':
		open_mode(r, line + 1);
		break;
	case 'X':
		command(r, line + 1);
		break;
	case 'K':
		keys(r, line + 1);
		break;
	case 'Z':
		resize(r, line + 1);
		break;
	case 'O':
		unescape(line + 1);
		output(r, line + 1);
		break;
	default:
		ck_abort_msg("copy-tmux.list:%u: no such line", r->line);
	}
	check_answer(r, answer == NULL ? line + strlen(line) : answer, step);
	mem_free(step);
}

/* The buffers are listed from the newest on. */
static void
check_buffer(struct replay *r, char *text)
{
	unescape(text);
	ck_assert_msg(r->nbuffers > 0, "copy-tmux.list:%u: no buffer", r->line);
	r->nbuffers--;
	ck_assert_msg(strcmp(r->buffers[r->nbuffers], text) == 0,
	    "copy-tmux.list:%u: the buffer is \"%s\"", r->line,
	    r->buffers[r->nbuffers]);
	mem_free(r->buffers[r->nbuffers]);
}

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

START_TEST(scripts_end_as_in_tmux)
{
	struct replay r = { .mux = NULL };
	char *list = read_whole("regress/ref/copy-tmux.list");
	char *line, *next;
	unsigned scripts = 0;

	bindings = read_whole("conf/default.conf");
	for (line = list; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next != '\0')
			*next++ = '\0';
		r.line++;
		if (*line == '@') {
			ck_assert_uint_eq(r.nbuffers, 0);
			begin_script(&r, line + 1);
			scripts++;
		} else if (*line == '<') {
			unescape(line + 1);
			output(&r, line + 1);
		} else if (*line == 'B') {
			check_buffer(&r, line + 1);
		} else if (*line != '#') {
			do_step(&r, line);
		}
	}
	ck_assert_uint_eq(r.nbuffers, 0);
	ck_assert_uint_ge(scripts, SCRIPTS_MIN);
	end_script(&r);
	mem_free(list);
	mem_free(bindings);
}
END_TEST

UNIT_SUITE(mode_copy_tmux)
{
	Suite *s = suite_create("mode_copy_tmux");
	TCase *tc = tcase_create("copy_tmux");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, scripts_end_as_in_tmux);
	suite_add_tcase(s, tc);
	return s;
}
