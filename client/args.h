/*
 * client/args.h - the command line before the command, and the options for
 * another machine, which may also follow the command.
 *
 * Purpose:   parses words into a struct.
 * Ownership: all pointers point into argv.
 * Errors:    printed on standard error.
 * Source:    tmux's options; those with two dashes are ours.
 * Tests:     regress/e2e/client.sh, remote.sh, help.sh
 */
#ifndef CLIENT_ARGS_H
#define CLIENT_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "client/deploy.h"
#include "client/roam.h"

#define CONFIG_FILES_MAX 64

#define CLIENT_FOLLOW_MAX 16
#define CLIENT_FOLLOW_WORDS 5

/* Makes the server there follow a name: unless HAS, SET. */
struct client_follow {
	char has[96];
	char set[96];
};

struct client_args {
	const char *label;         /* -L */
	const char *socket;        /* -S */
	const char *features;      /* -T */
	const char *trust;         /* --trust */
	const char *shell_command; /* -c */
	const char *config[CONFIG_FILES_MAX + 1];
	size_t nconfig;
	uint64_t flags;
	int verbose;
	bool foreground;
	bool nostart;      /* -N */
	bool as_tmux;      /* the program has the name tmux */
	bool help;         /* -h, --help */
	bool help_all;     /* the command is `help` */
	const char *host;  /* -H */
	const char *ports; /* --ports */
	bool foreign;      /* the server is another user's */
	struct roam_cfg remote;
	struct forward_spec *forwards;                  /* of remote */
	bool no_ssh_forwards;                           /* --ssh-forwards=off */
	struct client_follow follow[CLIENT_FOLLOW_MAX]; /* --follow-socket */
	size_t nfollow;
	enum deploy_mode deploy; /* --deploy, --no-deploy */
	const char **argv;       /* the command */
};

/* Prints the short form of the usage, for errors. */
void client_args_usage(FILE *f);

/* Fills A. Returns -1 to go on, else the exit code. */
int client_args_parse(int argc, char **argv, struct client_args *a);

/*
 * Checks a port range as the server does: "60001", "60000:61000" or
 * "60000-61000".
 */
bool client_args_ports(const char *value, const char **out);

/* Parses "require" or "auto". */
bool client_args_post_quantum(const char *value, bool *out);
bool client_args_pace(const char *value, enum ssp_pacing *out);

/* Parses the use of second paths (roam_cfg.paths), and names of interfaces. */
bool client_args_paths(const char *value, unsigned *out);
bool client_args_interface(const char *value, const char **out);

/*
 * Adds a forward of -L, -R or -D (LETTER). False: it is wrong, which was told.
 */
bool client_args_forward(struct client_args *a, char letter, const char *value);

/* -A: offers the agent of this machine; ASKED: told if there is none. */
void client_args_agent(struct client_args *a, bool asked);

/*
 * Adds the forwards that ssh has for the host (ssh_config), and keeps ssh from
 * opening them as well.
 */
void client_args_ssh_forwards(struct client_args *a);

/*
 * Takes --me out of the words of attach-session, which the server does not know.
 * False: its value is wrong, which was told.
 */
bool client_args_take_me(struct client_args *a);

/*
 * Parses a long option after the command, in words *I and perhaps *I + 1, if
 * the option has a value.
 * Returns 1; 0 if no option has that name; -1 if its value is wrong, which it
 * reports.
 */
int client_args_long(struct client_args *a, const char *const *argv, size_t *i);

/* Takes the word of letters ARGV[*i], and its value; false: wrong, and told. */
typedef bool (*client_letters_fn)(
    void *arg, const char *const *argv, size_t *i);

/*
 * Parses the options at ARGV[*i], long ones and letters, up to the first word that
 * is none, or behind "--".  Returns whether they are right; if not, it is told.
 */
bool client_args_options(struct client_args *a, const char *const *argv,
    size_t *i, client_letters_fn letters, void *arg);

/*
 * Returns the words for the other machine (mem_free): -p becomes set-option
 * remote-ports before WORDS; without ATTACH, rmux there gets -C, too.  NULL if
 * they are WORDS alone.
 */
const char **client_args_words(
    const struct client_args *a, const char *const *words, bool attach);

#endif
