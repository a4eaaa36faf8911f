#include "server/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "server/completion_rows.h"

static const struct help_shell {
	const char *name;
	void (*fn)(void);
} completion_shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
};

int
completion_main(const char *shell)
{
	size_t i;

	for (i = 0; shell != NULL && i < ARRAY_LEN(completion_shells); i++)
		if (strcmp(completion_shells[i].name, shell) == 0) {
			completion_shells[i].fn();
			return fflush(stdout) == 0 ? 0 : 1;
		}
	fputs("usage: rmux completion bash | zsh | fish\n", stderr);
	return 1;
}
