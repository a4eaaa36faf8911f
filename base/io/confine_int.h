/*
 * base/io/confine_int.h - the layers of confine.c.
 *
 * Purpose:   confine_calls.c filters system calls, confine_landlock.c names and
 *            addresses.
 * Errors:    -ERR_UNSUPPORTED if the kernel or this build has no such layer,
 *            -ERR_SYS with errno if it refuses.
 * Tests:     regress/unit/check_confine.c
 */
#ifndef BASE_IO_CONFINE_INT_H
#define BASE_IO_CONFINE_INT_H

/*
 * Refuses all system calls but those that base/io/confine.def has for MAY (enum
 * confine_may). The process must have no_new_privs.
 */
int confine_calls(unsigned may);

/* Returns 0 if the kernel has filters and this build has one for its calls. */
int confine_calls_look(void);

/* Refuses files, TCP and sockets of others, except what MAY needs. */
int confine_landlock(unsigned may, int abi);

/* Returns the version of the kernel's Landlock; 0: none. */
int confine_landlock_abi(void);

#endif
