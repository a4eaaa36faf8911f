#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "server/check_main.h"

/* Files that -f may name. */
#define RMUX_FILES_MAX 32

static int
rmux_usage(void)
{
	fprintf(stderr, "usage: rmux [-nV] [-f file]\n");
	return 1;
}

int
main(int argc, char **argv)
{
	const char *files[RMUX_FILES_MAX];
	bool check = false;
	int c, count = 0;

	while ((c = getopt(argc, argv, "f:nV")) != -1) {
		switch (c) {
		case 'f':
			if (count == RMUX_FILES_MAX) {
				fprintf(stderr, "rmux: too many files\n");
				return 1;
			}
			files[count++] = optarg;
			break;
		case 'n':
			check = true;
			break;
		case 'V':
			printf("rmux %s\n", PACKAGE_VERSION);
			return 0;
		default:
			return rmux_usage();
		}
	}
	if (check)
		return check_main(files, count);
	puts("rmux 0.1.0: the server is not built yet; see README.md");
	return 0;
}
