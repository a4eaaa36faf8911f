/*
 * regress/tools/keyfile.h - recordings of keystrokes, as text.
 *
 * Purpose:   reads and writes the recordings of keyrec, which keyplay plays.
 * Ownership: keyfile_read fills the caller's struct; keyfile_fini frees it.
 * Units:     milliseconds; bytes.
 * Errors:    keyfile_read returns false and says why on stderr.
 * Tests:     regress/tools/keyplay.sh
 *
 * A recording is lines of text:
 *
 *	keys 1                  the format and its version, first
 *	size 80 24              columns and rows
 *	ready "$ "              text on the screen when typing may begin
 *	name anything           for people, as many as wanted
 *	k 130 "l"               one key: ms since the line before, its bytes
 *	o 4 "l"                 output: ms since the line before
 *	# remark
 *
 * Strings are in C's form: \e \r \n \t \b \\ \" \xHH; other bytes from 0x20 on
 * stand for themselves (UTF-8).  One line "k" is one press of a key with all
 * its bytes.  Output is for people and other tools: the player ignores it,
 * because programs on another machine write other output.
 */
#ifndef REGRESS_KEYFILE_H
#define REGRESS_KEYFILE_H

#include <stdbool.h>
#include <stdio.h>

#define KEYFILE_KEYS_MAX 100000
#define KEYFILE_KEY_MAX 64 /* bytes of a key; a paste is many lines */

struct keyfile_key {
	double gap; /* ms since the key before */
	unsigned len;
	char bytes[KEYFILE_KEY_MAX];
};

struct keyfile {
	unsigned cols, rows;
	char ready[128];
	struct keyfile_key *key;
	unsigned n;
};

bool keyfile_read(const char *path, struct keyfile *f);
void keyfile_fini(struct keyfile *f);

/* Writes one line "KIND MS STRING". */
void keyfile_line(FILE *out, char kind, double ms, const char *p, size_t n);

/* Writes N bytes in C's form, quoted. */
void keyfile_string(FILE *out, const char *p, size_t n);

#endif
