#include "mux/view/ask_key.h"

static enum ask_did
edit(struct prompt_edit *e, key_code k)
{
	const enum prompt_edit_did did = prompt_edit_bound(e, k);
	uint8_t bytes[UTF8_MAX];
	size_t n;

	if (did == PROMPT_EDIT_CHANGED)
		return ASK_DID_CHANGED;
	if (did == PROMPT_EDIT_MOVED || (k & KEY_CTRL) != 0 ||
	    (n = prompt_edit_typed(k, bytes)) == 0)
		return ASK_DID_STAYS;
	prompt_edit_insert(e, (const char *)bytes, n);
	return ASK_DID_CHANGED;
}

enum ask_did
ask_key_line(struct prompt_edit *e, bool vi, bool exits, key_code k)
{
	switch (k) {
	case KEY_ENTER:
	case 'm' | KEY_CTRL:
	case 'j' | KEY_CTRL:
		return ASK_DID_ACCEPTED;
	case KEY_ESCAPE:
	case '[' | KEY_CTRL:
		return vi ? ASK_DID_UNKNOWN : ASK_DID_LEFT;
	case 'c' | KEY_CTRL:
	case 'g' | KEY_CTRL:
		return ASK_DID_LEFT;
	case 'r' | KEY_CTRL:
		return ASK_DID_BACK;
	case 's' | KEY_CTRL:
		return ASK_DID_ON;
	/* Completion, older texts, pasted text, and any byte. */
	case KEY_TAB:
	case 'i' | KEY_CTRL:
	case KEY_UP:
	case 'p' | KEY_CTRL:
	case KEY_DOWN:
	case 'n' | KEY_CTRL:
	case 'y' | KEY_CTRL:
	case 'v' | KEY_CTRL:
		return ASK_DID_UNKNOWN;
	case KEY_BSPACE:
	case 'h' | KEY_CTRL:
		if (exits && e->text.len == 0)
			return ASK_DID_LEFT;
		break;
	default:
		break;
	}
	return edit(e, k);
}

enum ask_did
ask_key_single(struct prompt_edit *e, key_code k)
{
	uint8_t bytes[UTF8_MAX + 1];
	const size_t n = prompt_edit_typed(k, bytes);

	/* With Alt it is no answer. */
	if (n == 0)
		return (k & KEY_META) != 0 ? ASK_DID_LEFT : ASK_DID_STAYS;
	if (bytes[0] == 0x1b || bytes[0] == 0x03 || bytes[0] == 0x07)
		return ASK_DID_LEFT;
	bytes[n] = '\0';
	prompt_edit_set(e, (const char *)bytes);
	return ASK_DID_ACCEPTED;
}
