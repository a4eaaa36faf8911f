/*
 * Golden tests of input encoding: regress/keys/NN_topic.keys.
 *
 *   test "name"
 *   modes NAME[=VALUE]...      all others as at power-on
 *   key NAME [type=repeat] [shifted=C] [layout=C] [text="..."] "bytes"
 *   named NAME "bytes"         a key that send-keys names
 *   mouse press|release|motion BUTTON X,Y [px=X,Y] [mods=SMC] "bytes"
 *   focus in|out "bytes"
 *   paste "text" [raw] [lf] "bytes"
 *
 * Each event is also encoded into a buffer that is one byte too small: none of
 * its bytes may be added.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "mux/vt/input_encode.h"
#include "regress/script.h"

#define OUT_MAX 65536

static struct vt_input_modes modes;
static bool seen[KEY_SPECIAL_END - KEY_SPECIAL][2]; /* legacy, kitty */

static const char *const key_names[] = {
#define X(name, text) text,
#include "base/key.def"
#undef X
};

static const struct {
	const char *name;
	key_code mod;
} mod_names[] = {
	{ "C-", KEY_CTRL },
	{ "M-", KEY_META },
	{ "S-", KEY_SHIFT },
	{ "Super-", KEY_SUPER },
	{ "Hyper-", KEY_HYPER },
	{ "Meta-", KEY_META2 },
	{ "Caps-", KEY_CAPS },
	{ "Num-", KEY_NUM },
};

/* clang-format off */
static const struct {
	const char *name;
	size_t offset;
	size_t size;
} mode_names[] = {
#define F(f) { #f, offsetof(struct vt_input_modes, f), sizeof(modes.f) }
	F(kitty), F(modify_other), F(format_csi_u), F(app_cursor),
	F(app_keypad), F(newline), F(backspace_bs), F(meta_escape),
	F(alt_escape), F(meta_eight_bit), F(numlock), F(home_tilde),
	F(bracketed_paste), F(focus), F(alternate_scroll),
	F(alternate_screen), F(mouse), F(mouse_encoding), F(cell_w),
	F(cell_h),
#undef F
};

/* Private modes and the input modes that they set. */
static const struct {
	const char *name;
	unsigned number;
	uint16_t value;
} numbers[] = {
	{ "mouse", 9, VT_MOUSE_X10 },
	{ "mouse", 1000, VT_MOUSE_NORMAL },
	{ "mouse", 1002, VT_MOUSE_BUTTON },
	{ "mouse", 1003, VT_MOUSE_ANY },
	{ "mouse_encoding", 1005, VT_MOUSE_UTF8 },
	{ "mouse_encoding", 1006, VT_MOUSE_SGR },
	{ "mouse_encoding", 1015, VT_MOUSE_URXVT },
	{ "mouse_encoding", 1016, VT_MOUSE_SGR_PIXELS },
};

static const char *const button_names[] = {
	"none", "left", "middle", "right", "up", "down", "wleft", "wright",
	"8", "9", "10", "11",
};
/* clang-format on */

static void
do_modes(const struct script *s, const struct script_line *l)
{
	const char *name, *eq;
	size_t n, k, j;
	uint16_t v;
	int i;

	vt_input_modes_init(&modes);
	for (i = 1; i < l->argc; i++) {
		name = l->argv[i].p;
		eq = strchr(name, '=');
		n = eq == NULL ? strlen(name) : (size_t)(eq - name);
		v = (uint16_t)(eq == NULL ? 1 : atoi(eq + 1));
		for (k = 0; k < ARRAY_LEN(mode_names); k++)
			if (strlen(mode_names[k].name) == n &&
			    strncmp(name, mode_names[k].name, n) == 0)
				break;
		if (k == ARRAY_LEN(mode_names))
			script_die(s, l, "no mode '%s'", name);
		for (j = 0; j < ARRAY_LEN(numbers); j++)
			if (numbers[j].number == v &&
			    strcmp(numbers[j].name, mode_names[k].name) == 0)
				v = numbers[j].value;
		if (mode_names[k].size == 2)
			memcpy((char *)&modes + mode_names[k].offset, &v, 2);
		else
			((char *)&modes)[mode_names[k].offset] = (char)v;
	}
}

/* A single code point, or U+HHHH. */
static uint32_t
read_cp(const char *p)
{
	uint32_t cp;

	if (str_starts(p, "U+"))
		return (uint32_t)strtoul(p + 2, NULL, 16);
	if (utf8_decode_final((const uint8_t *)p, strlen(p), &cp) == strlen(p))
		return cp;
	return KEY_NONE;
}

static key_code
read_key(const struct script *s, const struct script_line *l, const char *p)
{
	key_code mods = 0;
	uint32_t cp;
	size_t i;

	for (i = 0; i < ARRAY_LEN(mod_names); i++)
		if (str_starts(p, mod_names[i].name) &&
		    p[strlen(mod_names[i].name)] != '\0') {
			mods |= mod_names[i].mod;
			p += strlen(mod_names[i].name);
			i = SIZE_MAX;
		}
	if (strcmp(p, "none") == 0)
		return KEY_NONE;
	if (strcmp(p, "Space") == 0)
		return mods | ' ';
	if (str_starts(p, "User"))
		return mods | KEY_USER0;
	for (i = 0; i < ARRAY_LEN(key_names); i++)
		if (strcmp(p, key_names[i]) == 0) {
			seen[i][modes.kitty != 0] = true;
			return mods | (KEY_SPECIAL + i);
		}
	if ((cp = read_cp(p)) == KEY_NONE)
		script_die(s, l, "no key '%s'", p);
	return mods | cp;
}

static void
expect(const struct script *s, const struct script_line *l,
    const struct buf *out, const char *how)
{
	const struct script_arg *want = &l->argv[l->argc - 1];

	if (!want->quoted)
		script_die(s, l, "no expected bytes");
	if (out->len == want->n &&
	    (want->n == 0 || memcmp(out->data, want->p, want->n) == 0))
		return;
	tap_fail(
	    s->path, l->no, "%sgot %s", how, script_quote(out->data, out->len));
	tap_fail(s->path, l->no, "want %s", script_quote(want->p, want->n));
}

/* Gives the event to a buffer of size MAX. */
typedef int (*event_fn)(struct buf *out, const void *ev);

static int
give_key(struct buf *out, const void *ev)
{
	return vt_input_key(out, &modes, ev);
}

static int
give_mouse(struct buf *out, const void *ev)
{
	return vt_input_mouse(out, &modes, ev);
}

static int
give_focus(struct buf *out, const void *ev)
{
	return vt_input_focus(out, &modes, *(const bool *)ev);
}

static void
give(const struct script *s, const struct script_line *l, event_fn fn,
    const void *ev)
{
	struct buf out;
	size_t n;
	int r;

	buf_init(&out, OUT_MAX);
	if ((r = fn(&out, ev)) != 0)
		tap_fail(s->path, l->no, "returned %d", r);
	expect(s, l, &out, "");
	n = out.len;
	buf_fini(&out);
	if (n == 0)
		return;
	buf_init(&out, n - 1);
	if (fn(&out, ev) != -ERR_LIMIT || out.len != 0)
		tap_fail(s->path, l->no, "not all or nothing");
	buf_fini(&out);
}

static void
do_key(const struct script *s, const struct script_line *l)
{
	const struct script_arg *a;
	struct key_event ev;

	memset(&ev, 0, sizeof(ev));
	if (l->argc < 3)
		script_die(s, l, "key NAME \"bytes\"");
	ev.key = read_key(s, l, l->argv[1].p);
	if ((a = script_opt(l, "shifted")) != NULL)
		ev.shifted = read_cp(a->p);
	if ((a = script_opt(l, "layout")) != NULL)
		ev.base_layout = read_cp(a->p);
	if ((a = script_opt(l, "text")) != NULL)
		memcpy(ev.text, a->p, MIN_OF(a->n, sizeof(ev.text)));
	if ((a = script_opt(l, "type")) != NULL) {
		ev.type = strcmp(a->p, "repeat") == 0    ? KEY_REPEAT
			  : strcmp(a->p, "release") == 0 ? KEY_RELEASE
							 : KEY_PRESS;
	}
	give(s, l, give_key, &ev);
}

/* What vt_input_named takes. */
struct named {
	key_code key;
	const char *name;
};

static int
give_named(struct buf *out, const void *ev)
{
	const struct named *n = ev;

	return vt_input_named(out, &modes, n->key, n->name);
}

static void
do_named(const struct script *s, const struct script_line *l)
{
	struct named n;

	if (l->argc != 3)
		script_die(s, l, "named NAME \"bytes\"");
	n.name = l->argv[1].p;
	n.key = read_key(s, l, n.name);
	give(s, l, give_named, &n);
}

static void
read_pair(const struct script *s, const struct script_line *l, const char *p,
    int *x, int *y)
{
	if (sscanf(p, "%d,%d", x, y) != 2)
		script_die(s, l, "'%s' is not X,Y", p);
}

static void
do_mouse(const struct script *s, const struct script_line *l)
{
	static const char *const actions[] = { "press", "release", "motion" };
	const struct script_arg *a;
	struct mouse_event ev;
	size_t i;

	memset(&ev, 0, sizeof(ev));
	ev.px = ev.py = -1;
	if (l->argc < 5)
		script_die(s, l, "mouse ACTION BUTTON X,Y \"bytes\"");
	for (i = 0; strcmp(l->argv[1].p, actions[i]) != 0;)
		if (++i == ARRAY_LEN(actions))
			script_die(s, l, "no action '%s'", l->argv[1].p);
	ev.action = (enum mouse_action)i;
	for (i = 0; strcmp(l->argv[2].p, button_names[i]) != 0;)
		if (++i == ARRAY_LEN(button_names))
			script_die(s, l, "no button '%s'", l->argv[2].p);
	ev.button = (enum mouse_button)i;
	read_pair(s, l, l->argv[3].p, &ev.x, &ev.y);
	if ((a = script_opt(l, "px")) != NULL)
		read_pair(s, l, a->p, &ev.px, &ev.py);
	if ((a = script_opt(l, "mods")) != NULL) {
		ev.mods |= strchr(a->p, 'S') != NULL ? KEY_SHIFT : 0;
		ev.mods |= strchr(a->p, 'M') != NULL ? KEY_META : 0;
		ev.mods |= strchr(a->p, 'C') != NULL ? KEY_CTRL : 0;
	}
	give(s, l, give_mouse, &ev);
}

static void
do_focus(const struct script *s, const struct script_line *l)
{
	bool in = script_has(l, "in");

	give(s, l, give_focus, &in);
}

static void
do_paste(const struct script *s, const struct script_line *l)
{
	const struct script_arg *a = &l->argv[1];
	struct buf out;
	unsigned flags = 0;

	if (l->argc < 3 || !a->quoted)
		script_die(s, l, "paste \"text\" \"bytes\"");
	flags |= script_has(l, "raw") ? VT_PASTE_RAW : 0;
	flags |= script_has(l, "lf") ? VT_PASTE_KEEP_LF : 0;
	buf_init(&out, OUT_MAX);
	if (vt_input_paste(&out, &modes, a->p, a->n, flags) != 0)
		tap_fail(s->path, l->no, "paste failed");
	expect(s, l, &out, "");
	buf_fini(&out);
}

static void
do_test(const struct script *s, const struct script_line *l)
{
	if (l->argc != 2)
		script_die(s, l, "test \"name\"");
	tap_test(s->path, l->argv[1].p);
	vt_input_modes_init(&modes);
}

static const struct {
	const char *word;
	void (*run)(const struct script *s, const struct script_line *l);
} statements[] = {
	{ "test", do_test },
	{ "modes", do_modes },
	{ "key", do_key },
	{ "named", do_named },
	{ "mouse", do_mouse },
	{ "focus", do_focus },
	{ "paste", do_paste },
};

static void
run_file(const char *path)
{
	const struct script_line *l;
	struct script s;
	size_t i, k;

	script_load(&s, path);
	for (i = 0; i < s.count; i++) {
		l = &s.lines[i];
		for (k = 0; strcmp(l->argv[0].p, statements[k].word) != 0;)
			if (++k == ARRAY_LEN(statements))
				script_die(
				    &s, l, "no statement '%s'", l->argv[0].p);
		statements[k].run(&s, l);
	}
	script_free(&s);
}

/* Names the rows of input_key.def that no script presses. */
static void
check_coverage(void)
{
	static const uint32_t rows[] = {
#define X(key, fn, num, final, text, kitty, kfinal) KEY_##key,
#include "mux/vt/input_key.def"
#undef X
	};
	size_t i;
	int how;

	tap_test("coverage", "every row of input_key.def has cases");
	for (i = 0; i < ARRAY_LEN(rows); i++)
		for (how = 0; how < 2; how++)
			if (!seen[rows[i] - KEY_SPECIAL][how])
				tap_fail("input_key.def", 0, "%s: no %s case",
				    key_names[rows[i] - KEY_SPECIAL],
				    how == 0 ? "legacy" : "kitty");
}

int
main(int argc, char **argv)
{
	char **list;
	int i;

	for (i = 1; i < argc; i++)
		run_file(argv[i]);
	if (argc > 1)
		return tap_end();
	list = script_list(script_srcdir("regress/keys"), ".keys");
	for (i = 0; list[i] != NULL; i++)
		run_file(list[i]);
	script_list_free(list);
	check_coverage();
	return tap_end();
}
