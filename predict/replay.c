#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "predict/guess_int.h"
#include "predict/surface.h"

/* The properties that identify a context. */
struct replay_where {
	uint64_t surface;
	uint32_t modes;
	uint8_t shape;
	uint8_t known;
	uint8_t strange;
	uint8_t pad[1];
	char last[VT_CLUSTER_MAX + 8]; /* of the prompt */
	/* Text of a full-screen program's mode. */
	char said[32];
};

/* Copies the letters of the text at the left edge of L, without its numbers. */
static void
replay_letters(const struct vt_line *l, unsigned cols, unsigned gap, char *out,
    size_t size)
{
	unsigned x, blank = 0;
	uint32_t ch;
	size_t n = 0;

	for (x = 0; x < cols && blank < gap && n + 1 < size; x++) {
		ch = vt_line_cell(l, x).ch;
		blank = ch <= ' ' ? blank + 1 : 0;
		if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'))
			out[n++] = (char)ch;
	}
}

/*
 * Copies the mode that a full-screen program shows on the last row ("-- INSERT
 * --"), or on a status line above it; numbers there change with every key. If
 * the cursor is on the last row, its start distinguishes a search from a
 * command.
 */
static void
replay_said(const struct vt_frame *f, char *out, size_t size)
{
	const struct vt_line *l = f->lines[f->rows - 1];
	const struct pen *pen;
	uint32_t ch;

	if (f->state.y + 1u == f->rows) {
		ch = vt_line_cell(l, 0).ch;
		out[0] = '@';
		out[1] = ch > 0x7f ? '?' : (char)ch;
		return;
	}
	replay_letters(l, f->cols, PREDICT_GAP, out, size / 2);
	if (f->rows < 3 || f->state.y + 2u == f->rows)
		return;
	l = f->lines[f->rows - 2];
	pen = vt_line_pen(l, 0);
	if ((pen->attrs & PEN_REVERSE) != 0 ||
	    colour_kind(pen->bg) != COLOUR_KIND_DEFAULT)
		replay_letters(l, f->cols, 2, out + size / 2, size / 2);
}

/* Copies the last character of the prompt, ignoring blanks. */
static void
replay_prompt_end(
    const struct guess_env *env, const struct vt_line *l, char *out)
{
	unsigned x;

	for (x = env->prompt_cols; x > 0; x--) {
		(void)vt_line_text(l, x - 1, out);
		if (out[0] != ' ' && out[0] != '\0')
			break;
		out[0] = '\0';
	}
}

static uint64_t
replay_prompt_key(const struct surface *s, const struct guess_env *env)
{
	char end[VT_CLUSTER_MAX + 1] = "";

	replay_prompt_end(env, env->prompt, end);
	return str_hash(end, strlen(end), s->id) | 1;
}

static uint64_t
replay_context_key(const struct surface *s, const struct guess_env *env,
    const struct vt_frame *f)
{
	const uint32_t modes = VT_FRAME_ALTERNATE | VT_FRAME_CANONICAL |
			       VT_FRAME_ECHO | VT_FRAME_BRACKETED_PASTE |
			       VT_FRAME_INSERT;
	struct replay_where w;
	const struct vt_line *l = f->lines[f->state.y];

	memset(&w, 0, sizeof(w));
	w.surface = s->id;
	w.modes = f->state.modes & modes;
	w.shape = env->alternate ? f->state.cursor_shape : 0;
	if (env->alternate && !(s->lists && f->state.y + 1u < f->rows))
		replay_said(f, w.said, sizeof(w.said));
	if (!env->alternate && guess_at_prompt(env, l)) {
		w.known = 1;
		replay_prompt_end(env, l, w.last);
	} else if (!env->alternate && s->strange) {
		/*
		 * In a search or a menu, outcomes of other rows tell nothing.
		 */
		w.strange = 1;
	}
	return str_hash(&w, sizeof(w), 0) | 1;
}

/*
 * A program that asks for bracketed paste, or marks its prompt (OSC 133), edits
 * lines: after its prompt, letters are text before any was confirmed.
 */
static enum context_kind
replay_kind(const struct surface *s, const struct guess_env *env,
    const struct vt_frame *f)
{
	const uint32_t cooked = VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	const struct vt_line *l = f->lines[f->state.y];

	if (env->alternate)
		return CONTEXT_SCREEN;
	if ((f->state.modes & cooked) != 0 || env->prompt_cols == 0 ||
	    s->strange || !guess_at_prompt(env, l))
		return CONTEXT_PLAIN;
	if ((f->state.modes & VT_FRAME_BRACKETED_PASTE) == 0 &&
	    (l->flags & VT_LINE_INPUT) == 0)
		return CONTEXT_PLAIN;
	return CONTEXT_EDITOR;
}

/*
 * Returns whether a line editor searches its history: "(reverse-i-search)`x':
 * ls".
 */
static bool
replay_searches(const struct vt_line *l, unsigned cols)
{
	char text[64];
	bool found;

	(void)replay_row_text(l, 0, cols, text, sizeof(text));
	found = strstr(text, "i-search)") != NULL ||
		strncmp(text, "bck-i-search:", 13) == 0 ||
		strncmp(text, "fwd-i-search:", 13) == 0;
	mem_wipe(text, sizeof(text));
	return found;
}

/* Returns what is known of the margin in the cursor's window; NULL: nothing. */
static struct margin *
surface_margin(struct surface *s, const struct guess *g)
{
	struct margin *m = s->margin;
	unsigned from, to;
	size_t i;

	if (g->env->canonical)
		return NULL;
	guess_window(g, &from, &to);
	for (i = 0; i < ARRAY_LEN(s->margin) && m[i].used; i++)
		if (m[i].window == from)
			return &m[i];
	if (i == ARRAY_LEN(s->margin))
		i = s->nmargins++ % ARRAY_LEN(s->margin);
	m[i] = (struct margin){ .used = true, .window = from, .area = g->x };
	return &m[i];
}

void
replay_init(struct predict *p, struct surface *s, struct replay *r)
{
	const struct vt_frame *f = s->frame;
	const uint32_t cooked = VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	uint64_t key;

	memset(r, 0, sizeof(*r));
	r->env.gt = p->gt;
	r->env.canonical = (f->state.modes & cooked) == cooked;
	r->env.alternate = (f->state.modes & VT_FRAME_ALTERNATE) != 0;
	r->env.prompt = s->prompt;
	r->env.prompt_cols = s->prompt_cols;
	r->env.varies = s->varies | s->unsteady;
	r->env.edge = s->edge;
	r->env.edge_cols = s->edge_cols;
	r->env.vi = s->vi;
	r->env.blank = s->blank;
	r->env.end = s->end;
	r->env.far = p->policy.rtt >= PREDICT_CHANCE_LONG_RTT;
	r->env.sign = mask_sign(&s->mask, f);
	r->env.vi_op = s->vi_op;
	r->env.vi_says = r->env.alternate && guess_vi_inserts(f);
	r->env.vi_late = s->vi_late;
	r->habit = &s->habit[r->env.alternate];
	r->env.habit = r->habit;
	r->env.effects = r->env.alternate ? &s->effects : NULL;
	guess_init(&r->g, &r->env, f);
	key = replay_context_key(s, &r->env, r->g.f);
	if (s->prompt_cols > 0 && (!r->env.canonical || s->edited))
		r->prompt_key = replay_prompt_key(s, &r->env);
	r->context =
	    context_find(&p->contexts, key, replay_kind(s, &r->env, f));
	if (!r->env.alternate &&
	    guess_suggested(f->lines[f->state.y], f->state.x, f->cols))
		r->context->suggests = true;
	r->env.keep = r->context->keep > 0;
	r->env.moves = r->context->keep < 0;
	r->env.suggests = r->context->suggests;
	r->margin = surface_margin(s, &r->g);
	r->env.margin = r->margin;
	if (s->context != key) {
		s->context = key;
		/* A list that follows the typed text is no other mode. */
		if (!s->texts) {
			s->run = s->moves = 0;
			s->line = false;
		}
	}
	if (s->doubt != key)
		s->doubt = 0;
	r->doubt = s->doubt != 0;
	/* A program is about to print its prompt. */
	r->await = !r->env.alternate && !s->exact && s->prompt != NULL &&
		   s->prompt_cols > 0 && f->state.x == 0 &&
		   guess_indent(f->lines[f->state.y], f->cols) == f->cols;
	r->search = !r->env.alternate && !r->env.canonical &&
		    replay_searches(f->lines[f->state.y], f->cols);
	r->run = s->run;
	r->moves = s->moves;
	r->line = s->line;
	r->enter = 1;
	r->chance = 1;
}

void
replay_fini(struct replay *r)
{
	guess_fini(&r->g);
}

size_t
replay_row_text(
    const struct vt_line *l, unsigned from, unsigned to, char *out, size_t size)
{
	char t[VT_CLUSTER_MAX + 1];
	size_t n = 0, m;

	for (; from < to; from++) {
		m = vt_line_text(l, from, t);
		if (n + m + 1 > size)
			break;
		memcpy(out + n, t, m);
		n += m;
	}
	while (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return n;
}

/*
 * Returns whether the kernel edits the line and no shell has printed a prompt
 * for it.
 */
static bool
replay_plain(const struct replay *r)
{
	return r->env.canonical &&
	       (r->env.prompt == NULL || r->env.prompt_cols == 0);
}

/*
 * On the last row Enter ends on the last row, however much is printed: its
 * effect there is remembered separately.
 */
uint64_t
replay_enter_key(
    const struct replay *r, enum context_enter_kind kind, bool bottom)
{
	char text[256];
	const struct guess *g = &r->g;
	const struct vt_line *l = g->f->lines[g->y];
	uint64_t key = r->context->key;

	/* A shell's prompt is the same in all tty modes. */
	if (!r->env.alternate && r->prompt_key != 0 &&
	    guess_at_prompt(&r->env, l))
		key = r->prompt_key;

	if (bottom)
		key = str_hash("bottom", 6, key) | 1;
	/* A long line may be printed again, on as many rows. */
	if (g->y > 0 && (g->f->lines[g->y - 1]->flags & VT_LINE_WRAPPED) != 0)
		key = str_hash("long", 4, key) | 1;
	if (kind == CONTEXT_ENTER_ALL || replay_plain(r) || r->env.alternate ||
	    !guess_at_prompt(&r->env, l))
		return key;
	(void)replay_row_text(
	    l, r->env.prompt_cols, g->f->cols, text, sizeof(text));
	if (kind == CONTEXT_ENTER_LINE)
		key = str_hash("line", 4, key) | 1;
	else
		text[strcspn(text, " ")] = '\0';
	return str_hash(text, strlen(text), key) | 1;
}

bool
replay_at_bottom(const struct replay *r)
{
	return !replay_plain(r) && !r->env.alternate &&
	       r->g.y + 1u == r->g.f->rows;
}

static void
replay_enter_set(struct guess_enter *e, const struct context_enter *from)
{
	e->rows = from->rows;
	e->place = (enum context_place)from->place;
	e->open = from->open;
}

static const struct context_enter *
replay_enter_find(const struct context_table *t, const struct replay *r,
    enum context_enter_kind kind, bool bottom)
{
	return context_enter_find(t, replay_enter_key(r, kind, bottom));
}

/*
 * Returns whether the prompt looks like a shell's, whose commands have all
 * kinds of effects.
 */
static bool
replay_shell(const struct replay *r)
{
	char end[VT_CLUSTER_MAX + 1] = "";

	if (r->env.prompt == NULL || r->env.prompt_cols == 0)
		return false;
	replay_prompt_end(&r->env, r->env.prompt, end);
	return strchr("$#%", end[0]) != NULL;
}

/*
 * Returns whether this command has had an unpredictable effect, here or
 * elsewhere.
 */
static bool
replay_enter_lost(const struct context_table *t, const struct replay *r)
{
	return context_enter_lost(
		   t, replay_enter_key(r, CONTEXT_ENTER_WORD, false)) ||
	       context_enter_lost(
		   t, replay_enter_key(r, CONTEXT_ENTER_WORD, true));
}

/* Commands that print nothing unless they fail. */
static const char *const replay_silent_words[] = { "cd", "mkdir", "touch",
	"export", "unset", "alias" };

static bool
replay_is_silent(char *text, const char *prompt)
{
	char *word, *save;
	size_t n = 0, i;

	if (strpbrk(text, ";|&`\\(){}<!*?") != NULL)
		return false;
	for (word = text; *word >= 'A' && *word <= 'z'; word++)
		;
	if (*word == '=' && word > text && strchr(text, ' ') == NULL)
		return true;
	for (i = 0; i < ARRAY_LEN(replay_silent_words); i++) {
		n = strlen(replay_silent_words[i]);
		if (strncmp(text, replay_silent_words[i], n) == 0 &&
		    (text[n] == ' ' || (i == 0 && text[n] == '\0')))
			break;
	}
	if (i == ARRAY_LEN(replay_silent_words))
		/* Other commands that read input may wait for it. */
		return strchr(text, '>') != NULL &&
		       (strncmp(text, "echo ", 5) == 0 ||
			   strncmp(text, "printf ", 7) == 0);
	/* The prompt may contain the directory. */
	if (i == 0 && strpbrk(prompt, "/~") != NULL)
		return false;
	/* Options that make it print or ask; "cd -" prints. */
	for (word = strtok_r(text + n, " ", &save); word != NULL;
	     word = strtok_r(NULL, " ", &save))
		if (word[0] == '-' &&
		    (i == 0 || strpbrk(word + 1, "vi-") != NULL))
			return false;
	return true;
}

/*
 * Returns whether the typed command usually prints nothing before the next
 * prompt.
 */
static bool
replay_silent(const struct replay *r)
{
	const struct guess *g = &r->g;
	const struct vt_line *l = g->f->lines[g->y];
	char text[256], prompt[256];
	bool silent;

	if (r->env.canonical || r->env.alternate || r->prompt_key == 0 ||
	    !guess_at_prompt(&r->env, l) ||
	    (g->y > 0 && (g->f->lines[g->y - 1]->flags & VT_LINE_WRAPPED) != 0))
		return false;
	(void)replay_row_text(
	    r->env.prompt, 0, r->env.prompt_cols, prompt, sizeof(prompt));
	(void)replay_row_text(
	    l, r->env.prompt_cols, g->f->cols, text, sizeof(text));
	silent = prompt[0] != '\0' &&
		 strchr("$#%>", prompt[strlen(prompt) - 1]) != NULL &&
		 replay_is_silent(text, prompt);
	mem_wipe(text, sizeof(text));
	return silent;
}

/*
 * Returns whether an editor may indent the next line because this one opens a
 * block.
 */
static bool
replay_indents(const struct replay *r)
{
	const struct guess *g = &r->g;
	const struct vt_line *l = g->f->lines[g->y];

	return r->env.alternate && g->x > 0 &&
	       strchr("{([:", (int)(vt_line_cell(l, g->x - 1).ch & 0x7f)) !=
		   NULL;
}

/*
 * Returns whether Enter opens a row in vi without an indent or comment to
 * continue.
 */
static bool
replay_vi_opens(const struct replay *r, struct guess_enter *e)
{
	const struct guess *g = &r->g;
	uint32_t ch = vt_line_cell(g->f->lines[g->y], 0).ch;

	if (g->vi != GUESS_VI_INSERT ||
	    (!(ch >= 'a' && ch <= 'z') && !(ch >= 'A' && ch <= 'Z')))
		return false;
	e->rows = 1;
	e->place = CONTEXT_COL0;
	e->open = guess_vi_fixed(g->f) + 1;
	return true;
}

/*
 * Returns whether a counter in the prompt is about to get one more digit, which
 * moves what follows.
 */
static bool
replay_grows(const struct replay *r)
{
	const struct vt_line *l = r->g.f->lines[r->g.y];
	bool varies = false, nines = true;
	unsigned x, from = 0;
	uint32_t ch;

	if (!guess_at_prompt(&r->env, l))
		return false;
	for (x = 0; x <= r->env.prompt_cols && x < 64; x++) {
		ch = vt_line_cell(l, x).ch;
		if (ch >= '0' && ch <= '9') {
			varies = varies || (r->env.varies >> x & 1) != 0;
			nines = nines && ch == '9';
			continue;
		}
		/* A clock does not grow. */
		if (x > from && varies && nines && ch != ':' &&
		    (from == 0 || vt_line_cell(l, from - 1).ch != ':'))
			return true;
		from = x + 1;
		varies = false;
		nines = true;
	}
	return false;
}

/* Commands that print and end. None asks for a secret. */
static const char *const replay_safe_words[] = { "ls", "cat", "echo", "printf",
	"pwd", "grep", "egrep", "find", "head", "tail", "wc", "sort", "uniq",
	"cut", "tr", "ps", "df", "du", "date", "cal", "whoami", "id", "uname",
	"which", "type", "true", "false", "stat", "file", "diff", "cmp", "tree",
	"basename", "dirname", "hostname", "uptime", "seq", "cp", "mv", "rm",
	"ln", "chmod", "touch", "mkdir", "git status", "git add", "git branch",
	"docker ps", "docker images" };

/*
 * Returns whether the typed line is one of those commands, or several in a
 * pipeline.
 * security: of other commands none may be taken for one of these: it may ask for
 * a secret.
 */
static bool
replay_safe(const struct replay *r)
{
	const struct guess *g = &r->g;
	const struct vt_line *l = g->f->lines[g->y];
	char text[256], *part, *save;
	bool safe = false;
	size_t i, n;

	if (r->env.canonical || r->env.alternate ||
	    !guess_at_prompt(&r->env, l))
		return false;
	(void)replay_row_text(
	    l, r->env.prompt_cols, g->f->cols, text, sizeof(text));
	if (strpbrk(text, ";&`$\\(){}<") != NULL ||
	    strstr(text, "-exec") != NULL || strstr(text, "-ok") != NULL)
		text[0] = '\0';
	for (part = strtok_r(text, "|", &save); part != NULL;
	     part = strtok_r(NULL, "|", &save)) {
		part += strspn(part, " ");
		for (i = 0, safe = false;
		     i < ARRAY_LEN(replay_safe_words) && !safe; i++) {
			n = strlen(replay_safe_words[i]);
			safe = strncmp(part, replay_safe_words[i], n) == 0 &&
			       (part[n] == ' ' || part[n] == '\0');
		}
		if (!safe)
			break;
	}
	mem_wipe(text, sizeof(text));
	return safe;
}

/*
 * A shell's line on the last row is followed by a prompt there, however much is
 * printed; returns the chance of that, 0: unknown. ALL: the effect of Enter
 * there, or NULL.
 */
static double
replay_bottom(const struct replay *r, const struct context_enter *all,
    struct guess_enter *e)
{
	double hit = PREDICT_BOTTOM_RIGHT, miss = PREDICT_BOTTOM_WRONG;

	/*
	 * security: a new command may ask for a secret, whose letters typed
	 * ahead would show.
	 */
	if (r->context->kind != CONTEXT_EDITOR || all == NULL ||
	    all->place != CONTEXT_PROMPT ||
	    all->score.hit < PREDICT_BOTTOM_SEEN ||
	    !guess_at_prompt(&r->env, r->g.f->lines[r->g.y]))
		return 0;
	replay_enter_set(e, all);
	hit += all->score.hit;
	miss += all->score.miss;
	return hit / (hit + miss);
}

/* Predicts the effect of Enter here, and its chance. */
static double
replay_enter(
    const struct predict *p, const struct replay *r, struct guess_enter *e)
{
	const struct context_enter *x, *w, *all;
	const struct context_table *t = &p->contexts;
	struct guess_enter opens;
	bool bottom = replay_at_bottom(r);
	double chance;

	x = replay_enter_find(t, r, CONTEXT_ENTER_LINE, bottom);
	w = replay_enter_find(t, r, CONTEXT_ENTER_WORD, bottom);
	all = replay_enter_find(t, r, CONTEXT_ENTER_ALL, bottom);
	/*
	 * A command that ended at a prompt elsewhere does so on the last row.
	 */
	if (bottom && x == NULL && w == NULL) {
		x = replay_enter_find(t, r, CONTEXT_ENTER_LINE, false);
		w = replay_enter_find(t, r, CONTEXT_ENTER_WORD, false);
	}
	*e = (struct guess_enter){ 0 };
	if (replay_indents(r) || replay_grows(r))
		return 0;
	if (x != NULL && x != all) {
		replay_enter_set(e, x);
		return context_enter_chance(
		    x, CONTEXT_ENTER_LINE, bottom ? all : NULL);
	}
	/*
	 * Other commands tell nothing about, say, cd if the directory is in the
	 * prompt.
	 */
	if (w == NULL && replay_enter_lost(t, r))
		return 0;
	if (w == NULL && replay_silent(r)) {
		e->rows = 1;
		e->place = CONTEXT_PROMPT;
		return PREDICT_CHANCE_SILENT;
	}
	if (bottom && w == NULL && all != NULL &&
	    all->place == CONTEXT_PROMPT && all->score.hit > all->score.miss &&
	    replay_safe(r)) {
		replay_enter_set(e, all);
		return PREDICT_CHANCE_SAFE;
	}
	if (w == NULL && all == NULL && replay_vi_opens(r, e))
		return PREDICT_CHANCE_OPENS;
	if (bottom && w == NULL && (chance = replay_bottom(r, all, e)) > 0)
		return chance;
	if (w == NULL && all == NULL && !replay_plain(r))
		return 0;
	if (w == NULL && all == NULL) {
		e->rows = 1;
		return 0.7;
	}
	if (w == NULL) {
		replay_enter_set(e, all);
		chance = context_enter_chance(all,
		    replay_shell(r) ? CONTEXT_ENTER_ALL : CONTEXT_ENTER_ANY,
		    NULL);
		if (replay_vi_opens(r, &opens) && opens.open == e->open &&
		    opens.place == e->place)
			return MAX_OF(chance, PREDICT_CHANCE_OPENS);
		/* On the last row other commands tell more, but not all. */
		if (bottom)
			chance = (chance + context_enter_chance(
					       all, CONTEXT_ENTER_WORD, NULL)) /
				 2;
		return chance;
	}
	replay_enter_set(e, w);
	if (w == all)
		return context_enter_chance(w, CONTEXT_ENTER_LINE, NULL);
	return context_enter_chance(w, CONTEXT_ENTER_WORD, bottom ? all : NULL);
}

static enum context_class
replay_class(enum guess_act act)
{
	static const uint8_t classes[GUESS_ACTS] = {
		[GUESS_BACKSPACE] = CONTEXT_ERASE,
		[GUESS_DELETE] = CONTEXT_ERASE,
		[GUESS_KILL_WORD] = CONTEXT_ERASE,
		[GUESS_KILL_ALPHA] = CONTEXT_ERASE,
		[GUESS_KILL_LINE] = CONTEXT_ERASE,
		[GUESS_KILL_END] = CONTEXT_ERASE,
		[GUESS_CLEAR] = CONTEXT_ERASE,
		[GUESS_LEFT] = CONTEXT_MOVE,
		[GUESS_RIGHT] = CONTEXT_MOVE,
		[GUESS_HOME] = CONTEXT_MOVE,
		[GUESS_END] = CONTEXT_MOVE,
		[GUESS_WORD_LEFT] = CONTEXT_MOVE,
		[GUESS_WORD_RIGHT] = CONTEXT_MOVE,
	};

	return (enum context_class)classes[act];
}

/* Returns whether vi takes key K as a command, or as text of one. */
static bool
replay_to_vi(const struct replay *r, const struct guess_key *k)
{
	switch (r->g.vi) {
	case GUESS_VI_NORMAL:
	case GUESS_VI_PREFIX:
	case GUESS_VI_COMMAND:
		return true;
	case GUESS_VI_INSERT:
		return k->act == GUESS_UNKNOWN && k->cp == 033;
	case GUESS_VI_NONE:
	case GUESS_VI_UNSURE:
		break;
	}
	return false;
}

/* Returns the chance of key I in a vi; 0: unknown. */
static double
replay_vi(const struct surface *s, struct replay *r, size_t i)
{
	const struct context_score *v = &s->vi_score;
	double chance;

	r->vi = replay_to_vi(r, &s->keys[i].key);
	if (!r->vi)
		return 0;
	chance = (PREDICT_VI_RIGHT + v->hit) /
		 (PREDICT_VI_RIGHT + v->hit + PREDICT_VI_WRONG + v->miss);
	/* Inserted text is as certain as this command. */
	r->run = CONTEXT_RUNS;
	r->doubt = true;
	return r->enter * chance;
}

uint64_t
replay_effect_key(const struct guess_key *k)
{
	const uint32_t id[2] = { (uint32_t)k->act, k->cp };

	switch (k->act) {
	case GUESS_TEXT:
	case GUESS_UNKNOWN:
		return k->cp == GUESS_NO_KEY ? 0
					     : str_hash(id, sizeof(id), 0) | 1;
	case GUESS_BACKSPACE:
	case GUESS_DELETE:
	case GUESS_LEFT:
	case GUESS_RIGHT:
		return 0;
	default:
		return str_hash(&id[0], sizeof(id[0]), 0) | 1;
	}
}

bool
replay_empties(const struct replay *r, const struct guess_key *k)
{
	uint64_t key = replay_effect_key(k);
	const struct effect *e;

	if (r->env.effects == NULL || key == 0)
		return false;
	e = effect_find(r->env.effects, key);
	return e != NULL && e->clears.hit > e->clears.miss;
}

/*
 * Finds the screen to which key K led before on this one; returns the chance
 * that it does so again, 0: unknown.
 */
static double
replay_recall(
    const struct surface *s, struct replay *r, const struct surface_key *k)
{
	const struct recall *c;
	uint64_t key;

	if (!r->env.alternate || r->g.lost || r->g.vi != GUESS_VI_NONE ||
	    (k->key.act == GUESS_TEXT && (k->masked || r->run > 0)))
		return 0;
	key = replay_effect_key(&k->key);
	if (key == 0)
		return 0;
	c = recall_find(&s->recalls, key, r->g.f, r->g.y);
	if (c == NULL)
		return 0;
	r->g.recall = c->to;
	r->g.unsure_recall = r->g.unsure_recall ||
			     c->score.hit < PREDICT_RECALL_SEEN ||
			     c->score.miss > 0;
	return recall_chance(&s->recalls, c);
}

/*
 * Returns what key K does to a list or a field, if it was seen to, and the
 * chance of that.
 */
static const struct effect *
replay_effect(const struct replay *r, const struct guess_key *k, double *chance)
{
	static const struct effect none = { .key = 0 };
	const struct effect *e;
	uint64_t key;

	if (r->env.effects == NULL || r->env.far || r->g.vi != GUESS_VI_NONE ||
	    (k->act == GUESS_TEXT && r->run > 0))
		return NULL;
	key = replay_effect_key(k);
	if (key == 0)
		return NULL;
	e = effect_find(r->env.effects, key);
	if (k->act == GUESS_TEXT &&
	    (e == NULL || e->picks.hit < PREDICT_EFFECT_LETTER) &&
	    r->env.effects->deaf >= PREDICT_EFFECT_DEAF) {
		*chance = PREDICT_EFFECT_NOTHING;
		return &none;
	}
	if (e == NULL)
		return NULL;
	if (k->act != GUESS_TEXT && effect_idle(r->env.effects, e, r->g.f,
					r->g.x, r->g.y, PREDICT_EFFECT_IDLE)) {
		*chance = e->idles / (e->idles + PREDICT_EFFECT_STAYS);
		return e;
	}
	if (e->clears.hit > e->clears.miss) {
		*chance = effect_clears(e);
		/* An input box that has grown shrinks at Enter. */
		return k->act == GUESS_TEXT ||
			       (k->act == GUESS_ENTER && r->g.y != e->row)
			   ? NULL
			   : e;
	}
	/* A letter is a command if nothing was typed before it. */
	if (k->act == GUESS_TEXT && e->picks.hit < PREDICT_EFFECT_LETTER)
		return NULL;
	if (e->follows) {
		*chance = 0;
		return guess_arrow_of(k) < 0 ? NULL : e;
	}
	*chance = effect_stays(e);
	return e->stays.hit > e->stays.miss ? e : NULL;
}

/* Returns the chance of a key that edits text. */
static double
replay_typed(
    struct replay *r, const struct guess_key *k, enum context_class class)
{
	unsigned run =
	    class == CONTEXT_MOVE ? MAX_OF(r->run, r->moves) : r->run;
	double chance;

	if (r->doubt)
		chance = context_chance_new(
		    r->env.alternate ? CONTEXT_SCREEN : CONTEXT_PLAIN, r->run);
	else
		chance = context_chance(r->context, class, run, r->line);
	/* So does all that follows a sign. */
	if (k->act == GUESS_TEXT)
		r->enter *= habit_chance(r->habit, k->cp);
	return chance * r->enter;
}

/* Handles a key that selects, or empties, something with the chance CHANCE. */
static double
replay_quiet(struct replay *r, const struct guess_key *k, double chance)
{
	r->enter *= chance;
	r->quiet = true;
	/* Letters behind it are text if they follow an empty field. */
	if (guess_arrow_of(k) < 0) {
		r->run = 0;
		r->line = replay_empties(r, k);
	}
	return r->enter;
}

void
replay_step(
    struct predict *p, const struct surface *s, struct replay *r, size_t i)
{
	const struct surface_key *k = &s->keys[i];
	enum context_class class = replay_class(k->key.act);
	struct guess_enter e = { 0 };
	double chance, sure;
	bool clip;
	int arrow;

	r->g.recall = NULL;
	r->quiet = false;
	/* security: a letter of a secret is never drawn, nor a sign elsewhere. */
	if (k->masked && k->key.act == GUESS_ENTER) {
		chance = replay_recall(s, r, k);
		r->g.lost = r->g.lost || chance <= 0;
	} else if (k->masked != (r->env.sign != 0)) {
		r->g.lost = true;
		chance = 0;
	} else if (k->masked) {
		chance = PREDICT_CHANCE_MASK;
	} else if ((chance = replay_vi(s, r, i)) > 0) {
		/* replay_vi knows the chance. */
	} else if ((chance = replay_recall(s, r, k)) > 0) {
		r->enter *= chance;
		r->run = 0;
		chance = r->enter;
	} else if ((r->g.effect = replay_effect(r, &k->key, &chance)) != NULL &&
		   chance > 0 &&
		   (k->key.act != GUESS_ENTER ||
		       chance > replay_enter(p, r, &e))) {
		chance = replay_quiet(r, &k->key, chance);
	} else if (k->key.act == GUESS_ENTER) {
		r->g.effect = NULL;
		r->enter *= replay_enter(p, r, &e);
		/* Inserted text stays text, line after line. */
		if (r->g.vi != GUESS_VI_INSERT)
			r->run = 0;
		r->line = true;
		chance = r->enter;
	} else if ((arrow = guess_arrow_of(&k->key)) >= 0) {
		r->enter *= habit_arrow_chance(
		    r->habit, (enum habit_arrow)arrow, &clip);
		chance = r->enter;
	} else if (s->exact && class != CONTEXT_MOVE) {
		chance = r->enter * PREDICT_CHANCE_CERTAIN;
	} else if (r->env.canonical &&
		   ((s->edited && !s->asked) || !k->cooked)) {
		/*
		 * A command runs in a shell with a line editor: the shell will
		 * read this text later and echo it again, elsewhere. Text typed
		 * to a program that read keys was the program's own.
		 */
		chance = 0;
	} else if (r->env.canonical) {
		chance = r->enter * PREDICT_CHANCE_CERTAIN;
	} else {
		chance = replay_typed(r, &k->key, class);
		/* The next prediction is right if this one is. */
		r->run++;
		r->moves++;
	}
	if (r->await || r->search)
		chance = 0;
	sure = r->g.sure;
	guess_step(&r->g, &k->key, i, &e);
	r->g.effect = NULL;
	r->g.recall = NULL;
	/* All that follows depends on the place of a break. */
	if (r->g.sure < sure) {
		r->enter *= r->g.sure / sure;
		chance *= r->g.sure / sure;
	}
	r->chance = MIN_OF(r->chance, chance);
}

/* --- secrets -------------------------------------------------------------- */

#define SECRET_ENDS ":?=" /* one of them ends a question */

/*
 * Words of a prompt after which nothing is predicted, whatever the tty's echo
 * state.
 */
static const char *const secret_words[] = { "password", "passwort", "passwd",
	"passphrase", "passcode", "mot de passe", "contrase", "senha",
	"kennwort", "wachtwoord", "has\xc5\x82o",
	"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb", "\xe5\xaf\x86\xe7\xa0\x81",
	"secret", "token", "(hidden)", "otp", "pin", "verification code" };

/*
 * Returns whether TEXT, after a word for a secret, is the end of a question,
 * and one sign for each letter of the answer so far.
 */
static bool
secret_rest(const char *text)
{
	const char *end = strpbrk(text, SECRET_ENDS);

	if (end == NULL)
		return false;
	for (end++; *end == ' '; end++)
		;
	return end[strspn(end, (const char[]){ *end, '\0' })] == '\0' ||
	       (unsigned char)*end >= 0x80;
}

/* Returns whether TEXT asks for a secret; makes it lower case. */
static bool
secret_question(char *text)
{
	char *c;
	size_t i;

	if (strpbrk(text, SECRET_ENDS) == NULL)
		return false;
	for (c = text; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + 'a' - 'A');
	for (i = 0; i < ARRAY_LEN(secret_words); i++) {
		c = strstr(text, secret_words[i]);
		if (c != NULL && secret_rest(c + strlen(secret_words[i])))
			return true;
	}
	return false;
}

/* Returns whether columns 0..END-1 of L ask for a secret. */
static bool
secret_asked(const struct vt_line *l, unsigned end)
{
	char text[512];
	bool asked;

	(void)replay_row_text(l, 0, end, text, sizeof(text));
	asked = secret_question(text);
	mem_wipe(text, sizeof(text));
	return asked;
}

bool
surface_secret(const struct surface *s)
{
	const struct vt_frame *f = s->frame;
	const uint32_t cooked = VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	unsigned x = f->state.x, y = f->state.y;
	struct guess_env env;

	if ((f->state.modes & cooked) == VT_FRAME_CANONICAL ||
	    mask_sign(&s->mask, f) != 0)
		return true;
	/*
	 * Every line editor turns off echo in raw mode, and so do some prompts;
	 * others turn echo off only after they have asked.
	 */
	if (f->state.modes & VT_FRAME_ALTERNATE)
		/* The question may be the title of the field. */
		return secret_asked(f->lines[y], x) ||
		       (y > 0 && secret_asked(f->lines[y - 1], f->cols));
	/* Text typed after a line editor's prompt asks for nothing. */
	env = (struct guess_env){ .prompt = s->prompt,
		.prompt_cols = s->prompt_cols };
	if (replay_kind(s, &env, f) == CONTEXT_EDITOR)
		x = env.prompt_cols;
	return secret_asked(f->lines[y], x);
}
