#include <stdio.h>

#include "base/err.h"

int
main(void)
{
	puts("rmux 0.1.0: the server is not built yet; see README.md");
	return 0;
}
