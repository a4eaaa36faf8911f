/*
 * Programs that ask for secrets, in rows and in boxes, and echo nothing, stars
 * or a spinning sign. Letters of secrets are U+2603 (strange_type_secret), which
 * no program prints.
 */
#include <stdio.h>
#include <string.h>

#include "regress/predict/strange_int.h"

enum secret_echo {
	SECRET_OFF,   /* the kernel edits the line without echo */
	SECRET_LATE,  /* the same; echo is off only after the question */
	SECRET_RAW,   /* the program reads keys and prints nothing */
	SECRET_STARS, /* ... and prints a sign for each */
	SECRET_JUMP,  /* ... and a sign in a row that spins */
	SECRET_ECHOS,
};

struct secret {
	enum secret_echo echo;
	const char *ask, *star, *prompt;
	bool box, twice, paste;
	unsigned x, y;
	/* state */
	bool asking, again;
	unsigned n, typed;
	uint32_t text[64];
};

static const char *const secret_asks[] = { "Password: ", "Passphrase for key: ",
	"[sudo] password for ann: ", "Enter PIN: ", "Kennwort: ",
	"Mot de passe : ", "Verification code: ", "Unlock vault> ", "Secret? ",
	"token = ", "key (hidden): ", "ann@srv's password: ", "\xe2\x80\xa6 " };

static void
secret_prompt(struct strange *s, struct secret *q)
{
	q->asking = false;
	q->n = q->typed = 0;
	strange_set_tty(s, 0);
	if (q->paste)
		strange_put(s, "\033[?2004h");
	strange_put(s, q->prompt);
}

static void
secret_box(struct strange *s, struct secret *q)
{
	unsigned i;

	strange_clear(s, 0, 0, s->cols, s->rows);
	strange_draw(
	    s, q->x, q->y, 30, STRANGE_REVERSE, q->asking ? q->ask : "Name:");
	for (i = 0; i < q->typed && i < 40; i++)
		strange_cell_at(s, q->x + i, q->y + 1, STRANGE_PLAIN,
		    !q->asking                ? q->text[i]
		    : q->echo == SECRET_STARS ? (unsigned char)q->star[0]
					      : (uint32_t)' ');
	s->x = q->x;
	if (!q->asking || q->echo == SECRET_STARS)
		s->x += MIN_OF(q->typed, 40u);
	s->y = q->y + 1;
	strange_flush(s);
}

static void
secret_ask(struct strange *s, struct secret *q)
{
	strange_cause(s, STRANGE_CHANCE);
	q->asking = true;
	q->typed = 0;
	if (q->echo == SECRET_OFF) {
		strange_set_tty(s, VT_FRAME_CANONICAL);
	} else if (q->echo == SECRET_LATE) {
		strange_set_tty(s, VT_FRAME_CANONICAL | VT_FRAME_ECHO);
		strange_put(s, q->ask);
		strange_wait(s, 5 + strange_pick(s, 40));
		strange_set_tty(s, VT_FRAME_CANONICAL);
		return;
	}
	strange_put(s, q->ask);
}

/* Enter: the secret's end, or a command that asks for one. */
static void
secret_enter(struct strange *s, struct secret *q)
{
	bool asks = !q->asking && q->n > 3;

	strange_cause(s, STRANGE_RETURN);
	if (q->box) {
		q->asking = !q->asking;
		q->typed = 0;
		secret_box(s, q);
		return;
	}
	if (!s->kernel)
		strange_put(s, "\r\n");
	else if (q->asking)
		strange_put(s, "\r\n");
	if (asks || (q->asking && q->twice && !q->again)) {
		q->again = q->asking;
		if (q->paste)
			strange_put(s, "\033[?2004l");
		secret_ask(s, q);
		return;
	}
	q->again = false;
	if (q->asking && chance_below(&s->chance, 3) == 0)
		strange_put(s, "Sorry, try again.\r\n");
	secret_prompt(s, q);
}

static void
secret_letter(struct strange *s, struct secret *q)
{
	static const char *const spin[] = { "|", "/", "-", "\\" };

	q->typed++;
	if (q->echo == SECRET_STARS) {
		strange_cause(s, STRANGE_MASK);
		strange_put(s, q->star);
	} else if (q->echo == SECRET_JUMP) {
		strange_cause(s, STRANGE_CHANCE);
		strange_putf(s, "%s\b", spin[chance_below(&s->chance, 4)]);
	}
}

static void
secret_back(struct strange *s, struct secret *q)
{
	if (q->typed == 0)
		return;
	q->typed--;
	if (q->echo == SECRET_STARS)
		strange_put(s, "\b \b");
}

static void
secret_key(struct strange *s, key_code key)
{
	struct secret *q = s->own;
	char c[2] = { (char)key, '\0' };

	if (key == KEY_ENTER) {
		secret_enter(s, q);
		return;
	}
	if (q->box) {
		if (key == KEY_BSPACE)
			q->typed -= q->typed > 0;
		else if (key >= ' ' && key < KEY_SPECIAL && q->typed < 60)
			q->text[q->typed++] = (uint32_t)key;
		if (q->asking)
			strange_cause(s, STRANGE_MASK);
		secret_box(s, q);
		return;
	}
	if (q->asking) {
		if (key == KEY_BSPACE)
			secret_back(s, q);
		else if (key >= ' ' && key < KEY_SPECIAL)
			secret_letter(s, q);
		return;
	}
	if (key == KEY_BSPACE && q->n > 0) {
		q->n--;
		strange_put(s, "\b \b");
	} else if (key >= ' ' && key < 0x7f && q->n < 40) {
		q->n++;
		strange_put(s, c);
	}
}

static void
secret_plan(struct strange *s)
{
	struct secret *q = s->own;
	unsigned n = chance_below(&s->mind, 3);

	if (q->asking) {
		strange_type_secret(s);
		strange_type(s, KEY_ENTER);
		return;
	}
	if (q->box) {
		strange_type_text(s, strange_word(&s->mind));
		strange_type(s, KEY_ENTER);
		return;
	}
	if (n > 0)
		strange_type_text(s, n == 1 ? "unlock " : "get key ");
	strange_type_text(s, n == 0 ? "ls" : strange_word(&s->mind));
	strange_type(s, KEY_ENTER);
}

static struct secret *
secret_new(struct strange *s)
{
	static const char *const stars[] = { "*", "x", "#", "\xe2\x80\xa2" };
	static const char *const prompts[] = { "$ ", "> ", "box% ", "",
		"vault>" };
	struct secret *q = mem_zalloc(sizeof(*q));

	s->own = q;
	q->echo = strange_pick(s, SECRET_ECHOS);
	q->ask = secret_asks[strange_pick(s, ARRAY_LEN(secret_asks))];
	q->star = stars[strange_pick(s, ARRAY_LEN(stars))];
	q->prompt = prompts[strange_pick(s, ARRAY_LEN(prompts))];
	q->twice = strange_often(s, 30);
	q->paste = strange_often(s, 50);
	q->x = 4 + strange_pick(s, 30);
	q->y = 2 + strange_pick(s, 10);
	return q;
}

static void
secret_begin(struct strange *s)
{
	secret_prompt(s, secret_new(s));
}

static void
secret_begin_box(struct strange *s)
{
	struct secret *q = secret_new(s);

	q->box = true;
	if (q->echo != SECRET_STARS)
		q->echo = SECRET_RAW;
	strange_screen(s);
	secret_box(s, q);
}

const struct strange_kind strange_asker = { "asker", STRANGE_SECRET, 8,
	secret_begin, secret_key, secret_plan };
const struct strange_kind strange_dialog = { "dialog", STRANGE_SECRET, 3,
	secret_begin_box, secret_key, secret_plan };
