/*
 * base/io/confine.h - a process gives up what it no longer needs.
 *
 * Purpose:   before a process decodes data of another machine or user, it asks
 *            the system to refuse everything but a list: Linux by a filter of
 *            system calls (seccomp), by Landlock, by dropping capabilities;
 *            OpenBSD by pledge. The list is base/io/confine.def.
 * Errors:    -ERR_UNSUPPORTED with a cause under CONFINE_REQUIRE if a layer is
 *            missing; otherwise a missing layer is only reported. A call of
 *            confine cannot be undone; a second one takes away more.
 * Source:    seccomp(2), landlock(7), pledge(2); OpenSSH's sandbox.
 * Tests:     regress/unit/check_confine.c, regress/e2e/sandbox.sh
 */
#ifndef BASE_IO_CONFINE_H
#define BASE_IO_CONFINE_H

#include "base/err.h"
#include "base/types.h"

/*
 * What a confined process may do beside using memory, clocks, random bytes and
 * the descriptors that it has.
 */
enum confine_may {
	CONFINE_TERMINAL = 1
			   << 0, /* modes and size of a terminal; stop itself */
	CONFINE_DATAGRAMS = 1 << 1, /* sendmsg, recvmsg */
	CONFINE_SOCKETS = 1 << 2,   /* open UDP sockets */
	CONFINE_CHILDREN = 1 << 3,  /* wait for children; start none */
	CONFINE_FILES = 1 << 4,     /* open files by name */
	/*
	 * Look up host names, which the C library does as it likes: alone, it
	 * refuses programs, writing to files and listening, and no more.
	 */
	CONFINE_LOOKUP = 1 << 5,
	/* security: set by confine in a build with sanitizers, never else. */
	CONFINE_SANITIZER = 1 << 6,
	CONFINE_FORWARD = 1 << 7 /* accept connections of sockets that it has */
};

enum confine_mode {
	CONFINE_AUTO,    /* as much as the system can */
	CONFINE_REQUIRE, /* all layers, or an error */
	CONFINE_OFF
};

/* The layers; those that the system lacks are left out unless required. */
enum confine_layer {
	CONFINE_CALLS = 1 << 0,      /* seccomp, or pledge */
	CONFINE_LANDLOCK = 1 << 1,   /* no file, no TCP, no other's sockets */
	CONFINE_PRIVILEGES = 1 << 2, /* no capability, no set-user-ID program */
	CONFINE_ALL = (1 << 3) - 1
};

struct confine_result {
	unsigned layers;   /* enum confine_layer: those in force */
	int landlock_abi;  /* 0: the kernel has none */
	char missing[160]; /* why a layer is missing, for people; "": none is */
};

/* Parses "auto", "require" or "off"; false for another word. */
bool confine_mode_parse(const char *word, enum confine_mode *out);

/*
 * Confines this process to MAY. Only LAYERS are used (CONFINE_ALL; tests take
 * fewer).
 */
int confine(unsigned may, unsigned layers, enum confine_mode mode,
    struct confine_result *out, struct cause *c);

/*
 * Refuses this process to make memory executable, if the system can (Linux
 * 6.6). Programs that it starts are free to. Returns whether the system does.
 */
bool confine_memory(void);

/*
 * Refuses this process all files but those below the folder PATH, programs, links
 * and devices there, TCP, and signals and sockets of others, if the system can
 * (Landlock). Returns whether it does.
 */
bool confine_folder(const char *path);

/* Tells which layers this system has; changes nothing. */
void confine_look(struct confine_result *out);

#endif
