#include "mux/control/control_text.h"

void
control_text_add(struct buf *out, const char *text)
{
	const unsigned char *p;

	for (p = (const unsigned char *)text; *p != '\0'; p++) {
		if (*p < ' ' && *p != '\t')
			(void)buf_addf(out, "\\%03o", *p);
		else
			(void)buf_add_u8(out, *p);
	}
}
