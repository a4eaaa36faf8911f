/*
 * server/run/logfile.h - the log file of -v.
 *
 * Purpose:   writes the server's log to rmux-server-PID.log in the directory
 *            that the server was started in. SIGUSR2 switches it on and off.
 * Ownership: the server owns it; close it after the last log_write.
 * Errors:    a full disk loses lines and nothing else.  show-messages reports
 *            it once; the file has the number of lost lines when there is room
 *            again.
 * Tests:     regress/unit/check_run.c, regress/e2e/fault_disk.sh
 */
#ifndef SERVER_RUN_LOGFILE_H
#define SERVER_RUN_LOGFILE_H

struct run;

struct logfile {
	struct run *run;
	char *dir;          /* the file's, NULL: the current one */
	int verbose;        /* as often as -v was given; 1 without it */
	int fd;             /* -1: none */
	unsigned long lost; /* lines since the last one that was written */
};

/* Begins without a file; remembers the current directory. */
void logfile_init(struct logfile *l);
void logfile_fini(struct logfile *l);

/* Opens the file and makes it RUN's log; VERBOSE as often as -v was given. */
void logfile_open(struct logfile *l, struct run *run, int verbose);

/* Closes an open file, opens another one; show-messages says which. */
void logfile_toggle(struct logfile *l, struct run *run);

#endif
