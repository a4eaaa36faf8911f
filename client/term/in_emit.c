/* Event constructors of the input decoder; each calls the owner's callback. */
#include <string.h>

#include "client/term/in_int.h"

void
term_in_emit_key(struct term_in *in, key_code key)
{
	struct term_event ev = { .kind = TERM_KEY };

	ev.key.key = key;
	in->fn(in->arg, &ev);
}

void
term_in_emit_text(struct term_in *in, uint32_t cp)
{
	struct term_event ev = { .kind = TERM_TEXT, .cp = cp };

	in->fn(in->arg, &ev);
}

void
term_in_emit_reply(struct term_in *in, enum term_reply reply,
    const struct term_csi *c, const uint8_t *data, size_t len)
{
	struct term_event ev = {
		.kind = TERM_REPLY,
		.reply = reply,
		.data = data,
		.len = len,
	};

	if (c != NULL) {
		ev.nparams = c->n;
		memcpy(ev.params, c->p, sizeof(ev.params));
	}
	in->fn(in->arg, &ev);
}
