/*
 * The typist: words, speed, corrections, bursts, pastes.
 */
#include <stdio.h>
#include <string.h>

#include "regress/predict/strange_int.h"

static const char *const typist_words[] = { "the", "of", "and", "a", "to", "in",
	"is", "it", "that", "was", "for", "on", "with", "as", "river", "window",
	"garden", "letter", "morning", "because", "between", "something",
	"through", "people", "little", "number", "station", "always", "paper",
	"quiet", "winter", "another", "house", "light", "table", "remember",
	"question", "perhaps", "without", "together", "I", "we", "they", "not",
	"had", "were", "at", "by", "from", "understanding", "responsibility",
	"na\xc3\xafve", "caf\xc3\xa9", "no", "yes", "old", "new", "small" };

const char *
strange_word(uint64_t *random)
{
	return typist_words[chance_below(random, ARRAY_LEN(typist_words))];
}

void
strange_sentence(struct strange *s, char *out, size_t size, unsigned words)
{
	size_t n = 0, m;
	const char *w;

	out[0] = '\0';
	for (; words > 0; words--) {
		w = strange_word(&s->mind);
		m = strlen(w);
		if (n + m + 3 > size)
			break;
		memcpy(out + n, w, m);
		n += m;
		if (chance_below(&s->mind, 9) == 0)
			out[n++] = ',';
		out[n++] = words == 1 && chance_below(&s->mind, 2) ? '.' : ' ';
		out[n] = '\0';
	}
}

void
strange_type(struct strange *s, key_code key)
{
	if (s->plan_n < STRANGE_PLAN)
		s->plan[s->plan_n++] = (struct strange_press){ .key = key };
}

void
strange_type_one(struct strange *s, const char *keys)
{
	strange_type(s,
	    (unsigned char)
		keys[chance_below(&s->mind, (unsigned)strlen(keys))]);
}

/* A slip: some wrong letters, then backspaces. */
static void
typist_slip(struct strange *s)
{
	unsigned n = 1 + chance_below(&s->mind, 3), i;

	for (i = 0; i < n; i++)
		strange_type(s, 'a' + chance_below(&s->mind, 26));
	for (i = 0; i < n; i++)
		strange_type(s, KEY_BSPACE);
}

void
strange_type_text(struct strange *s, const char *text)
{
	key_code key;
	size_t n = strlen(text), i;

	for (i = 0; i < n;) {
		i += strange_decode(text + i, n - i, &key);
		if (chance_below(&s->mind, 1000) < s->typos)
			typist_slip(s);
		strange_type(s, key);
	}
}

void
strange_type_secret(struct strange *s)
{
	unsigned n = 4 + chance_below(&s->mind, 8), from = s->plan_n, i;

	for (i = 0; i < n; i++)
		strange_type(s, 0x2603);
	if (chance_below(&s->mind, 3) == 0) {
		strange_type(s, KEY_BSPACE);
		strange_type(s, 0x2603);
	}
	for (i = from; i < s->plan_n; i++)
		s->plan[i].secret = true;
	s->plan[from].waits = true;
}

static unsigned
typist_gap(struct strange *s, key_code last, key_code key)
{
	unsigned base = s->speed;

	if (s->burst > 0) {
		s->burst--;
		base /= 3;
	} else if (chance_below(&s->mind, 40) == 0) {
		s->burst = 4 + chance_below(&s->mind, 12);
	}
	if (last == KEY_ENTER)
		return 400 + chance_below(&s->mind, 900);
	if (last == KEY_ESCAPE || last == KEY_TAB)
		return 150 + chance_below(&s->mind, 400);
	if (chance_below(&s->mind, 60) == 0)
		return 800 + chance_below(&s->mind, 2500);
	if (last == key && key >= KEY_SPECIAL)
		base = MIN_OF(base, 110u);
	return base / 2 + chance_below(&s->mind, base) +
	       (last == ' ' ? chance_below(&s->mind, base) : 0);
}

void
strange_press(struct strange *s, struct strange_press *p)
{
	key_code last = KEY_ENTER;

	if (s->plan_at > 0)
		last = s->plan[s->plan_at - 1].key;
	if (s->plan_at == s->plan_n) {
		s->plan_at = s->plan_n = 0;
		s->pasting = chance_below(&s->mind, 50) == 0;
		while (s->plan_n == 0)
			s->kind->plan(s);
	}
	*p = s->plan[s->plan_at++];
	p->gap = typist_gap(s, last, p->key);
	if (s->pasting && s->plan_at > 1 && p->key < KEY_SPECIAL && !p->secret)
		p->gap = 1;
	if (p->waits)
		p->gap = 1500;
}
