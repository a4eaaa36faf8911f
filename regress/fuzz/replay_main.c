/*
 * Runs a fuzz target once over each file (or each file of a directory) named
 * on the command line: the corpus as a test, with any compiler.  With
 * -grow=SECONDS, -floor=US, -memory=BYTES, -size=BYTES and -seed=N, it then looks
 * for inputs whose cost grows faster than their length (grow.h).
 */
#include <sys/stat.h>

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regress/fuzz/grow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long replay_count;

static int
replay_file(const char *path)
{
	FILE *f;
	uint8_t *data;
	long size;
	size_t got;

	if ((f = fopen(path, "rb")) == NULL) {
		perror(path);
		return 1;
	}
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	/* An exact allocation, so that AddressSanitizer sees each overread. */
	data = size < 0 ? NULL : malloc(size > 0 ? (size_t)size : 1);
	if (data == NULL)
		abort();
	got = fread(data, 1, (size_t)size, f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, got);
	grow_add(data, got);
	free(data);
	replay_count++;
	return 0;
}

static int
replay_path(const char *path)
{
	char name[4096];
	struct stat st;
	struct dirent *e;
	DIR *d;
	int bad = 0;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return replay_file(path);
	if ((d = opendir(path)) == NULL) {
		perror(path);
		return 1;
	}
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		bad |= replay_file(name);
	}
	closedir(d);
	return bad;
}

int
main(int argc, char **argv)
{
	struct grow g = { 0, 2000, 512, 131072, 1 };
	int i, bad = 0;

	for (i = 1; i < argc; i++)
		if (strncmp(argv[i], "-grow=", 6) == 0)
			g.seconds = atof(argv[i] + 6);
		else if (strncmp(argv[i], "-floor=", 7) == 0)
			g.floor = atof(argv[i] + 7);
		else if (strncmp(argv[i], "-memory=", 8) == 0)
			g.memory = atof(argv[i] + 8);
		else if (strncmp(argv[i], "-seed=", 6) == 0)
			g.seed = strtoull(argv[i] + 6, NULL, 10);
		else if (strncmp(argv[i], "-size=", 6) == 0)
			g.size = strtoull(argv[i] + 6, NULL, 10);
		else if (argv[i][0] != '-')
			bad |= replay_path(argv[i]);
	if (g.seconds > 0)
		bad |= grow_run(&g) > 0;
	printf("# %lu inputs\n", replay_count);
	return bad;
}
