#include "base/agent_wire.h"

#include "base/compiler.h"

size_t
agent_wire_count(struct agent_wire *w, const uint8_t *p, size_t n)
{
	size_t k, ended = 0;

	while (n > 0) {
		if (w->left > 0) {
			k = MIN_OF(n, (size_t)w->left);
			w->left -= (uint32_t)k;
			p += k;
			n -= k;
			ended += w->left == 0;
			continue;
		}
		w->head[w->got++] = *p++;
		n--;
		if (w->got == AGENT_HEAD) {
			w->got = 0;
			w->left = (uint32_t)w->head[0] << 24 |
				  (uint32_t)w->head[1] << 16 |
				  (uint32_t)w->head[2] << 8 | w->head[3];
		}
	}
	return ended;
}
