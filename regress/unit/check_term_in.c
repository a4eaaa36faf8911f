#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/in.h"
#include "regress/unit/unit.h"

/* The events as text, one after another, so that a case is one line. */
static char seen[65536];
static size_t seen_len;

static void
say(const char *s)
{
	size_t n = strlen(s);

	if (seen_len + n + 2 >= sizeof(seen))
		return;
	if (seen_len > 0)
		seen[seen_len++] = ' ';
	memcpy(seen + seen_len, s, n + 1);
	seen_len += n;
}

/* Name of a special key as in key.def, or NULL. */
static const char *
special_name(uint32_t code)
{
#define X(name, text) text,
	static const char *const names[] = {
#include "base/key.def"
	};
#undef X

	if (code < KEY_SPECIAL || code >= (uint32_t)KEY_SPECIAL_END)
		return NULL;
	return names[code - KEY_SPECIAL];
}

static void
on_event(UNUSED void *arg, const struct term_event *ev)
{
	static const char *const types[] = { "", "/repeat", "/release" };
	char text[600], cp[8], base[16];
	const char *name;
	key_code k = ev->key.key;
	uint32_t code;

	switch (ev->kind) {
	case TERM_TEXT:
		cp[utf8_encode(ev->cp, (uint8_t *)cp)] = '\0';
		say(cp);
		return;
	case TERM_KEY:
		code = (uint32_t)(k & KEY_MASK);
		name = special_name(code);
		if (name == NULL) {
			base[utf8_encode(code, (uint8_t *)base)] = '\0';
			name = base;
		}
		snprintf(text, sizeof(text), "<%s%s%s%s%s%s>%s%s",
		    k & KEY_SUPER ? "D-" : "", k & KEY_CTRL ? "C-" : "",
		    k & KEY_META ? "M-" : "", k & KEY_SHIFT ? "S-" : "",
		    k & KEY_CAPS ? "caps-" : "", name, types[ev->key.type],
		    ev->key.text);
		say(text);
		return;
	case TERM_MOUSE:
		snprintf(text, sizeof(text), "mouse(%d,%d,%d,%d,%d,%d)",
		    (int)ev->mouse.action, (int)ev->mouse.button, ev->mouse.x,
		    ev->mouse.y, ev->mouse.px,
		    (int)((ev->mouse.mods & KEY_MODS) >> 32));
		say(text);
		return;
	case TERM_PASTE:
		snprintf(text, sizeof(text), "%s%.*s%s",
		    ev->begin ? "paste{" : "", (int)ev->len,
		    (const char *)ev->data, ev->end ? "}" : "");
		/* Pieces of one paste stand together. */
		if (!ev->begin && seen_len > 0) {
			strcpy(seen + seen_len, text);
			seen_len += strlen(text);
		} else
			say(text);
		return;
	case TERM_FOCUS:
		say(ev->gained ? "focus+" : "focus-");
		return;
	case TERM_REPLY:
		snprintf(text, sizeof(text), "reply%d(%u,%u,%u:%.*s)",
		    (int)ev->reply, ev->nparams, ev->params[0], ev->params[1],
		    (int)ev->len, (const char *)ev->data);
		say(text);
		return;
	}
}

struct in_case {
	const char *bytes;
	const char *want;
};

/* clang-format off */
static const struct in_case cases[] = {
	/* text and control bytes */
	{ "a\xc3\xa9\xe4\xb8\x80", "a \xc3\xa9 \xe4\xb8\x80" },
	{ "\xff" "a", "\xef\xbf\xbd a" },
	{ "\001\011\015\177\010\034\037", "<C-a> <Tab> <Enter> <BSpace> <C-h> <C-\\> <C-_>" },
	/* escape alone, meta */
	{ "\033", "<Escape>" },
	{ "\033a\033A", "<M-a> <M-A>" },
	{ "\033\001", "<C-M-a>" },
	{ "\033\xc3\xa9", "<M-\xc3\xa9>" },
	{ "\033\177", "<M-BSpace>" },
	{ "\033\033", "<M-Escape>" },
	{ "\033\033[A\033\033OA", "<M-Up> <M-Up>" },
	{ "\033\033x", "<Escape> <M-x>" },
	{ "\033[", "<M-[>" },
	{ "\033O", "<M-O>" },
	{ "\033]", "<M-]>" },
	{ "\033P", "<M-P>" },
	/* legacy keys */
	{ "\033[A\033OB\033[H\033[F", "<Up> <Down> <Home> <End>" },
	{ "\033[1;5A\033[1;2D\033[1;8C\033[1;9A", "<C-Up> <S-Left> <C-M-S-Right> <D-Up>" },
	{ "\033[1~\033[2~\033[3~\033[4~\033[5~\033[6~\033[7~\033[8~",
	    "<Home> <IC> <DC> <End> <PPage> <NPage> <Home> <End>" },
	{ "\033OP\033OQ\033OR\033OS\033[15~\033[24;5~", "<F1> <F2> <F3> <F4> <F5> <C-F12>" },
	{ "\033[[A\033[[E", "<F1> <F5>" },
	{ "\033[1;2P\033[1;5R", "<S-F1> <C-F3>" },
	{ "\033[Z\033[1;6Z", "<BTab> <C-S-BTab>" },
	{ "\033OM\033Op\033Oy\033Ok", "<KPEnter> <KP0> <KP9> <KP+>" },
	{ "\033[5^\033[5$\033[5@\033[a\033Oa", "<C-PPage> <S-PPage> <C-S-PPage> <S-Up> <C-Up>" },
	{ "\033[3;3~", "<M-DC>" },
	/* CSI u, modifyOtherKeys, kitty */
	{ "\033[97;5u\033[13;2u\033[9;5u\033[27u", "<C-a> <S-Enter> <C-Tab> <Escape>" },
	{ "\033[97u", "a" },
	{ "\033[97;1:3u\033[97;5:2u", "<a>/release <C-a>/repeat" },
	{ "\033[97:65:99;2u", "<S-a>" },
	{ "\033[97;;229u", "<a>\xc3\xa5" },
	{ "\033[57399u\033[57376;5u\033[57441u", "<KP0> <C-F13> <LeftShift>" },
	{ "\033[1;1:3A\033[3;5:3~", "<Up>/release <C-DC>/release" },
	{ "\033[97;65u", "a" },
	{ "\033[97;69u", "<C-caps-a>" },
	{ "\033[27;5;97~\033[27;2;13~\033[27;6;65~", "<C-a> <S-Enter> <C-S-A>" },
	/* mouse */
	{ "\033[<0;10;5M\033[<0;10;5m", "mouse(0,1,9,4,-1,0) mouse(1,1,9,4,-1,0)" },
	{ "\033[<35;2;2M\033[<32;3;3M", "mouse(2,0,1,1,-1,0) mouse(2,1,2,2,-1,0)" },
	{ "\033[<64;1;1M\033[<65;1;1M\033[<66;1;1M", "mouse(0,4,0,0,-1,0) mouse(0,5,0,0,-1,0) mouse(0,6,0,0,-1,0)" },
	{ "\033[<128;1;1M\033[<20;1;1M", "mouse(0,8,0,0,-1,0) mouse(0,1,0,0,-1,5)" },
	{ "\033[M !!\033[M#!!", "mouse(0,1,0,0,-1,0) mouse(1,0,0,0,-1,0)" },
	{ "\033[M \xc4\xa0!", "mouse(0,1,255,0,-1,0)" },
	{ "\033[32;10;5M", "mouse(0,1,9,4,-1,0)" },
	{ "\033[<0;0;0M\033[<1M", "" },
	/* paste, focus */
	{ "\033[200~ls\r\033[A\033[201~x", "paste{ls\r\033[A} x" },
	{ "\033[200~\033[201~", "paste{}" },
	{ "\033[200~a\033[20b\033[201~", "paste{a\033[20b}" },
	{ "\033[I\033[O", "focus+ focus-" },
	/* answers */
	{ "\033[?62;22c\033[>1;10;0c", "reply0(2,62,22:) reply1(3,1,10:)" },
	{ "\033[?2026;2$y", "reply4(2,2026,2:)" },
	{ "\033P>|foo 1.2\033\\", "reply3(0,0,0:foo 1.2)" },
	{ "\033]11;rgb:0000/0000/0000\033\\\033]10;x\007", "reply12(1,11,0:rgb:0000/0000/0000) reply12(1,10,0:x)" },
	{ "\033]52;c;YQ==\033\\", "reply12(1,52,0:c;YQ==)" },
	{ "\033[?997;1n", "reply7(1,1,1:)" },
	{ "\033[?5u", "reply8(1,5,0:)" },
	{ "\033[48;24;80;0;0t", "reply9(5,48,24:)" },
	{ "\033P1$r0m\033\\\033P1+r524742\033\\", "reply10(1,1,0:0m) reply11(1,1,0:524742)" },
	{ "\033_Gi=1;OK\033\\", "reply13(0,0,0:i=1;OK)" },
	/* unknown sequences are dropped without harm */
	{ "\033[ A" "b\033[!Rc\033[?1Ad", "b c d" },
	{ "\033[1;\033[A", "<Up>" },
	{ "\033]2;cut\033[A", "<Up>" },
	{ "\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1Az", "<Up> z" },
	{ "\033[99999999999999999999999~z", "z" },
	{ "\033Pjunk\030z", "z" },
};
/* clang-format on */

static void
run_case(const struct in_case *c, size_t step)
{
	struct term_in *in = term_in_new(on_event, NULL);
	size_t n = strlen(c->bytes), i, k;
	mono_ms now = 100;

	/* NUL bytes would end the case; none is needed. */
	seen_len = 0;
	seen[0] = '\0';
	for (i = 0; i < n; i += k) {
		k = MIN_OF(step, n - i);
		term_in_push(in, now, (const uint8_t *)c->bytes + i, k);
		now++;
		term_in_timeout(in, now);
	}
	if (term_in_deadline(in) != MONO_NEVER)
		term_in_timeout(in, term_in_deadline(in));
	ck_assert_msg(strcmp(seen, c->want) == 0,
	    "case %d, step %zu: got [%s], want [%s]", (int)(c - cases), step,
	    seen, c->want);
	ck_assert_uint_eq(term_in_deadline(in), MONO_NEVER);
	term_in_free(in);
}

START_TEST(every_form_is_decoded_whole_and_byte_by_byte)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		run_case(&cases[i], SIZE_MAX);
		run_case(&cases[i], 1);
		run_case(&cases[i], 3);
	}
}
END_TEST

START_TEST(escape_waits_its_time_and_no_longer)
{
	struct term_in *in = term_in_new(on_event, NULL);

	term_in_set_escape_time(in, 25);
	seen_len = 0;
	seen[0] = '\0';
	term_in_push(in, 1000, (const uint8_t *)"\033", 1);
	ck_assert_uint_eq(term_in_deadline(in), 1025);
	term_in_timeout(in, 1024);
	ck_assert_str_eq(seen, "");
	term_in_push(in, 1024, (const uint8_t *)"[A", 2);
	ck_assert_str_eq(seen, "<Up>");
	term_in_push(in, 2000, (const uint8_t *)"\033", 1);
	term_in_timeout(in, 2025);
	ck_assert_str_eq(seen, "<Up> <Escape>");
	/* In the first row CSI R is F3. */
	term_in_push(in, 3000, (const uint8_t *)"[1;5R", 6);
	ck_assert_str_eq(seen, "<Up> <Escape> <C-F3>");
	term_in_free(in);
}
END_TEST

/* security: nothing of a sequence that is too long becomes keys. */
START_TEST(what_is_too_long_is_dropped_to_its_end)
{
	static const struct {
		const char *begin;
		const char *more;
		const char *end;
		const char *want;
	} rows[] = {
		{ "\033[?", "1;", "cx", "x" },
		{ "\033[", "1:", "\033[Ax", "<Up> x" },
		{ "\033[", "1:", "\030x", "x" },
		{ "\033]11;", "9;", "\033\\x", "x" },
		{ "\033]11;", "9;", "\007x", "x" },
		{ "\033P>|", "a\007", "\033\\x", "x" },
		{ "\033P>|", "ab", "\033[Ax", "<Up> x" },
		{ "\033_G", "ab", "\032x", "x" },
	};
	const size_t many = TERM_IN_MAX, step[] = { 1, 2, 4096 };
	struct term_in *in;
	char *text, *p;
	size_t i, k, n, at;

	for (i = 0; i < ARRAY_LEN(rows) * ARRAY_LEN(step); i++) {
		in = term_in_new(on_event, NULL);
		seen_len = 0;
		seen[0] = '\0';
		text = p = mem_alloc(3 * many);
		p += sprintf(p, "%s", rows[i / 3].begin);
		for (k = 0; k < many; k++, p += 2)
			memcpy(p, rows[i / 3].more, 2);
		p += sprintf(p, "%s", rows[i / 3].end);
		for (at = 0; at < (size_t)(p - text); at += n) {
			n = MIN_OF(step[i % 3], (size_t)(p - text) - at);
			term_in_push(in, 1000, (const uint8_t *)text + at, n);
		}
		ck_assert_str_eq(seen, rows[i / 3].want);
		/* Without an end it is dropped for a time only. */
		k = (size_t)(p - text) - strlen(rows[i / 3].end);
		seen_len = 0;
		seen[0] = '\0';
		term_in_push(in, 2000, (const uint8_t *)text, k);
		ck_assert_uint_eq(term_in_deadline(in), 4000);
		term_in_timeout(in, 4000);
		ck_assert_uint_eq(term_in_deadline(in), MONO_NEVER);
		term_in_push(in, 4001, (const uint8_t *)"cy", 2);
		ck_assert_str_eq(seen, "c y");
		term_in_free(in);
		mem_free(text);
	}
}
END_TEST

static key_code own_key;

static void
on_own_event(UNUSED void *arg, const struct term_event *ev)
{
	if (ev->kind == TERM_KEY)
		own_key = ev->key.key;
}

/* A key of user-keys in one piece, byte by byte, cut, and similar sequences. */
START_TEST(keys_of_the_users_own_come_first)
{
	struct term_in *in = term_in_new(on_own_event, NULL);
	const char *own = "\033[9;9~", *c;

	term_in_set_user_keys(
	    in, "3 1b5b393b397e\n12 c3a9\nbad\n5000 41\n4 4\n1 zz\n");
	own_key = KEY_NONE;
	term_in_push(in, 0, (const uint8_t *)own, strlen(own));
	ck_assert_uint_eq(own_key, KEY_USER0 + 3);
	own_key = KEY_NONE;
	for (c = own; *c != '\0'; c++)
		term_in_push(in, 0, (const uint8_t *)c, 1);
	ck_assert_uint_eq(own_key, KEY_USER0 + 3);
	term_in_push(in, 0, (const uint8_t *)"\xc3\xa9", 2);
	ck_assert_uint_eq(own_key, KEY_USER0 + 12);
	/*
	 * The start of a sequence alone keeps its meaning once its time is up.
	 */
	term_in_push(in, 100, (const uint8_t *)"\033", 1);
	ck_assert_uint_eq(own_key, KEY_USER0 + 12);
	term_in_timeout(in, term_in_deadline(in));
	ck_assert_uint_eq(own_key, KEY_ESCAPE);
	term_in_push(in, 0, (const uint8_t *)"\033[A", 3);
	ck_assert_uint_eq(own_key, KEY_UP);
	term_in_set_user_keys(in, "");
	term_in_push(in, 0, (const uint8_t *)own, strlen(own));
	ck_assert_uint_ne(own_key, KEY_USER0 + 3);
	term_in_free(in);
}
END_TEST

START_TEST(random_bytes_neither_crash_nor_grow)
{
	struct term_in *in = term_in_new(on_event, NULL);
	unsigned long rng = unit_seed(5);
	uint8_t bytes[64];
	mono_ms now = 0;
	size_t i, n;
	int round;

	for (round = 0; round < (int)unit_rounds(100000); round++) {
		rng = rng * 6364136223846793005UL + 1442695040888963407UL;
		n = (rng >> 33) % sizeof(bytes);
		for (i = 0; i < n; i++) {
			rng = rng * 6364136223846793005UL + 1;
			bytes[i] = (rng >> 60) < 6
				       ? (uint8_t) "\033[;O<?"[(rng >> 33) % 6]
				       : (uint8_t)(rng >> 40);
		}
		seen_len = 0;
		term_in_push(in, now, bytes, n);
		now += (rng >> 50) % 40;
		term_in_timeout(in, now);
	}
	term_in_free(in);
}
END_TEST

START_TEST(pixels_of_the_mouse_give_cells)
{
	static const uint16_t size[4] = { 80, 24, 800, 480 };
	struct term_in *in = term_in_new(on_event, NULL);

	seen_len = 0;
	seen[0] = '\0';
	term_in_set_pixels(in, size);
	term_in_push(in, 0, (const uint8_t *)"\033[<0;26;41M", 11);
	/* A window may be larger than its cells. */
	term_in_push(in, 0, (const uint8_t *)"\033[<0;9999;9999m", 15);
	term_in_set_pixels(in, NULL);
	term_in_push(in, 0, (const uint8_t *)"\033[<0;3;3M", 9);
	ck_assert_str_eq(seen, "mouse(0,1,2,2,25,0) mouse(1,1,79,23,9998,0) "
			       "mouse(0,1,2,2,-1,0)");
	term_in_free(in);
}
END_TEST

UNIT_SUITE(term_in)
{
	Suite *s = suite_create("term_in");
	TCase *tc = tcase_create("in");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_form_is_decoded_whole_and_byte_by_byte);
	tcase_add_test(tc, escape_waits_its_time_and_no_longer);
	tcase_add_test(tc, what_is_too_long_is_dropped_to_its_end);
	tcase_add_test(tc, keys_of_the_users_own_come_first);
	tcase_add_test(tc, pixels_of_the_mouse_give_cells);
	tcase_add_test(tc, random_bytes_neither_crash_nor_grow);
	suite_add_tcase(s, tc);
	return s;
}
