#include "client/args.h"
#include "config.h"

#include <sys/socket.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tmux.h"
#include "client/dropin.h"
#include "client/local_echo.h"
#include "client/trust.h"
#include "mux/sync/control.h"
#include "mux/sync/tail.h"
#include "ssp/path.h"

void
client_args_usage(FILE *f)
{
	fprintf(f,
	    "usage: rmux [-2CDhlNuVv] [-c shell-command] [-f file] [-H host] "
	    "[-L socket-name]\n"
	    "            [-S socket-path] [-T features] [--trust=USERS] "
	    "[command [flags]]\n"
	    "       rmux attach [--ssh=COMMAND] [--server=PATH] "
	    "[--udp=HOST:PORT]\n"
	    "            [--family=inet|inet6] [--predict=MODE] "
	    "[--again=SECONDS]\n"
	    "            [--rekey=SECONDS] [--post-quantum=require|auto] "
	    "[--allow=LIST]\n"
	    "            [--pace=auto|window|follow|sprout|remy|mosh]\n"
	    "            [--paths=single|standby|duplicate|aggregate]\n"
	    "            [--interface=NAME,...]\n"
	    "            [--mirror=LINES] [--sandbox=auto|require|off] "
	    "[--deploy | --no-deploy]\n"
	    "            [-p PORTS] [-A] [-L | -R | -D FORWARD] "
	    "[--ssh-forwards=on|off]\n"
	    "            [--follow-socket=NAME=PATH] [--desk=ask|on|off]\n"
	    "            [--desk-folder=PATH] [--desk-open=COMMAND]\n"
	    "            [--me=yes|no] [user@]host[:port] [-t target] "
	    "[-- command ...]\n"
	    "       rmux exec [options of ssh] [user@]host [command ...]\n"
	    "       rmux cp [-pqr] source ... target\n"
	    "       rmux get | put [-qr] file ...; rmux open URL|file; "
	    "rmux paste-file\n"
	    "       rmux forward [-A] [-L | -R | -D FORWARD] [user@]host\n"
	    "       rmux doctor [options of attach] [[user@]host[:port]]\n");
}

/* Options for another machine; also allowed after `attach`. */
enum {
	OPTION_NONE = 255,
#define X(id, name, argument, text) OPTION_##id,
#include "base/client_long.def"
#undef X
	OPTION_HELP
};

static const struct option client_long[] = {
#define X(id, name, argument, text)                                  \
 { name, (argument) == NULL ? no_argument : required_argument, NULL, \
	 OPTION_##id },
#include "base/client_long.def"
#undef X
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static bool client_args_socket(struct client_args *a, const char *value);

/* Parses seconds, with or without a fraction; 0 means never. */
static bool
client_again(const char *value, mono_ms *out)
{
	char *end;
	double d = strtod(value, &end);

	if (end == value || *end != '\0' || !(d >= 0 && d <= 86400)) {
		fprintf(stderr, "rmux: --again wants seconds, 0 to 86400: %s\n",
		    value);
		return false;
	}
	*out = d > 0 ? (mono_ms)(d * 1000 + 1) : MONO_NEVER;
	return true;
}

bool
client_args_ports(const char *value, const char **out)
{
	size_t n = strcspn(value, "-:");
	int64_t lo, hi;

	if (str_to_intn(value, n, 1, 65535, &lo) != 0 ||
	    str_to_int(value[n] != '\0' ? value + n + 1 : value, lo, 65535,
		&hi) != 0) {
		fprintf(stderr,
		    "rmux: -p wants a port or a range (60000:61000): %s\n",
		    value);
		return false;
	}
	*out = value;
	return true;
}

/* Parses HOST:PORT. */
static bool
client_udp(const char *value, const char **out)
{
	const char *colon = strrchr(value, ':');
	int64_t port;

	if (colon == NULL || colon == value ||
	    str_to_int(colon + 1, 1, 65535, &port) != 0) {
		fprintf(stderr, "rmux: --udp wants host:port: %s\n", value);
		return false;
	}
	*out = value;
	return true;
}

bool
client_args_post_quantum(const char *value, bool *out)
{
	*out = strcmp(value, "require") == 0;
	if (*out || strcmp(value, "auto") == 0)
		return true;
	fprintf(
	    stderr, "rmux: --post-quantum wants auto or require: %s\n", value);
	return false;
}

bool
client_args_pace(const char *value, enum ssp_pacing *out)
{
	*out = ssp_pacing_find(value);
	if (*out != SSP_PACING_NONE)
		return true;
	fprintf(stderr,
	    "rmux: --pace wants auto, window, follow, sprout, remy or mosh: "
	    "%s\n",
	    value);
	return false;
}

bool
client_args_paths(const char *value, unsigned *out)
{
	static const char *const words[] = { [SSP_PATHS_SINGLE] = "single",
		[SSP_PATHS_STANDBY] = "standby",
		[SSP_PATHS_DUPLICATE] = "duplicate",
		[SSP_PATHS_AGGREGATE] = "aggregate" };
	unsigned i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		if (words[i] != NULL && strcmp(value, words[i]) == 0) {
			*out = i + 1;
			return true;
		}
	fprintf(stderr,
	    "rmux: --paths wants single, standby, duplicate or aggregate: %s\n",
	    value);
	return false;
}

bool
client_args_interface(const char *value, const char **out)
{
	*out = value;
	if (roam_interfaces_valid(value))
		return true;
	fprintf(stderr,
	    "rmux: --interface wants names of interfaces, with commas between "
	    "them: %s\n",
	    value);
	return false;
}

/* Whether VALUE is more than blanks; else complains with TEXT. */
static bool
client_wants(const char *value, const char *text)
{
	if (value[strspn(value, " \t")] != '\0')
		return true;
	fprintf(stderr, "rmux: %s\n", text);
	return false;
}

static bool
client_remote_option(struct client_args *a, int opt, const char *value)
{
	int64_t n;

	switch (opt) {
	case OPTION_SSH:
		if (value[strspn(value, " \t")] == '\0') {
			fprintf(stderr, "rmux: --ssh wants a program\n");
			return false;
		}
		a->remote.ssh.ssh = value;
		break;
	case OPTION_SERVER:
		a->remote.ssh.server = value;
		break;
	case OPTION_UDP:
		return client_udp(value, &a->remote.udp);
	case OPTION_PORTS:
		return client_args_ports(value, &a->ports);
	case OPTION_MIRROR:
		if (str_to_int(value, 0, SYNC_TAIL_LINES_MAX, &n) != 0) {
			fprintf(stderr,
			    "rmux: --mirror wants a number of lines: %s\n",
			    value);
			return false;
		}
		a->remote.mirror = (uint32_t)n;
		break;
	case OPTION_PREDICT:
		a->remote.predict = local_echo_mode(value);
		if (a->remote.predict < 0) {
			fprintf(stderr, "rmux: unknown --predict: %s\n", value);
			return false;
		}
		break;
	case OPTION_ALLOW:
		return trust_allow_parse(value, &a->remote.allow);
	case OPTION_POST_QUANTUM:
		return client_args_post_quantum(value, &a->remote.post_quantum);
	case OPTION_PACE:
		return client_args_pace(value, &a->remote.pace);
	case OPTION_PATHS:
		return client_args_paths(value, &a->remote.paths);
	case OPTION_INTERFACE:
		return client_args_interface(value, &a->remote.interfaces);
	case OPTION_REKEY:
		if (str_to_int(value, 1, 3600, &n) != 0) {
			fprintf(stderr,
			    "rmux: --rekey wants seconds, 1 to 3600: %s\n",
			    value);
			return false;
		}
		a->remote.rekey = (mono_ms)n * 1000;
		break;
	case OPTION_SANDBOX:
		if (confine_mode_parse(value, &a->remote.sandbox))
			return true;
		fprintf(stderr,
		    "rmux: --sandbox wants auto, require or off: %s\n", value);
		return false;
	case OPTION_AGAIN:
		return client_again(value, &a->remote.again);
	case OPTION_ME:
		return me_file_mode(value, &a->remote.me);
	case OPTION_DEPLOY:
		a->deploy = DEPLOY_YES;
		break;
	case OPTION_NO_DEPLOY:
		a->deploy = DEPLOY_NO;
		break;
	case OPTION_FOLLOW_SOCKET:
		return client_args_socket(a, value);
	case OPTION_DESK:
		if (desk_policy_parse(value, &a->remote.desk.policy))
			return true;
		fprintf(
		    stderr, "rmux: --desk wants ask, on or off: %s\n", value);
		return false;
	case OPTION_DESK_FOLDER:
		a->remote.desk.folder = value;
		return client_wants(value, "--desk-folder wants a folder");
	case OPTION_DESK_OPEN:
		a->remote.desk.open = value;
		return client_wants(value, "--desk-open wants a program");
	case OPTION_SSH_FORWARDS:
		a->no_ssh_forwards = strcmp(value, "off") == 0;
		if (!a->no_ssh_forwards && strcmp(value, "on") != 0) {
			fprintf(stderr,
			    "rmux: --ssh-forwards is on or off: %s\n", value);
			return false;
		}
		break;
	default:
		if (strcmp(value, "inet") == 0 || strcmp(value, "4") == 0)
			a->remote.family = AF_INET;
		else if (strcmp(value, "inet6") == 0 || strcmp(value, "6") == 0)
			a->remote.family = AF_INET6;
		else {
			fprintf(stderr,
			    "rmux: --family wants inet or inet6: %s\n", value);
			return false;
		}
	}
	return true;
}

int
client_args_parse(int argc, char **argv, struct client_args *a)
{
	union {
		char **in;
		const char **out;
	} rest;
	int opt;

	while ((opt = getopt_long(argc, argv, "+2c:CDdf:H:hL:lNqS:T:uUvV",
		    client_long, NULL)) != -1) {
		if (opt > OPTION_NONE && opt < OPTION_HELP &&
		    opt != OPTION_TRUST) {
			if (!client_remote_option(a, opt, optarg))
				return 1;
			continue;
		}
		switch (opt) {
		case OPTION_TRUST:
			a->trust = optarg;
			break;
		case 'H':
			a->host = optarg;
			break;
		case 'c':
			a->shell_command = optarg;
			break;
		case 'C':
			a->flags |= a->flags & CONTROL_FLAG_CONTROL
					? CONTROL_FLAG_CONTROL2
					: CONTROL_FLAG_CONTROL;
			break;
		case 'D':
			a->foreground = true;
			break;
		case 'f':
			if (a->nconfig < CONFIG_FILES_MAX)
				a->config[a->nconfig++] = optarg;
			break;
		case 'h':
		case OPTION_HELP:
			a->help = true;
			break;
		case 'L':
			a->label = optarg;
			break;
		case 'N':
			a->nostart = true;
			break;
		case 'S':
			a->socket = optarg;
			break;
		case 'T':
			a->features = optarg;
			break;
		case 'u':
			a->flags |= CONTROL_FLAG_UTF8;
			break;
		case 'v':
			a->verbose++;
			break;
		case 'V':
			if (a->as_tmux)
				printf("tmux %s\n", TMUX_VERSION);
			else
				printf("rmux %s\n", PACKAGE_VERSION);
			return 0;
		case '2':
		case 'd':
		case 'l':
		case 'q':
		case 'U':
			break;
		default:
			client_args_usage(stderr);
			return 1;
		}
	}
	rest.in = argv + optind;
	a->argv = rest.out;
	if (a->argv[0] != NULL && !a->help && strcmp(a->argv[0], "help") == 0) {
		a->help = a->help_all = true;
		a->argv++;
	}
	if (a->shell_command != NULL && optind != argc) {
		client_args_usage(stderr);
		return 1;
	}
	return -1;
}

static void
forward_add(struct client_args *a, const struct forward_spec *spec)
{
	struct roam_cfg *cfg = &a->remote;

	a->forwards =
	    mem_resize(a->forwards, cfg->nforwards + 1, sizeof(*a->forwards));
	a->forwards[cfg->nforwards++] = *spec;
	cfg->forwards = a->forwards;
}

bool
client_args_forward(struct client_args *a, char letter, const char *value)
{
	struct forward_spec spec;
	struct cause c = { NULL };

	if (forward_spec_parse(letter == 'L'   ? FORWARD_LOCAL
			       : letter == 'R' ? FORWARD_REMOTE
					       : FORWARD_DYNAMIC,
		value, &spec, &c) != 0) {
		fprintf(stderr, "rmux: %s\n", cause_text(&c));
		cause_fini(&c);
		return false;
	}
	forward_add(a, &spec);
	return true;
}

/* --follow-socket; also makes the server there follow that name. */
static bool
client_args_socket(struct client_args *a, const char *value)
{
	struct client_follow *w = &a->follow[a->nfollow];
	struct forward_spec spec;
	struct cause c = { NULL };
	int e = forward_socket_parse(value, &spec, &c);

	if (e == 0 && a->nfollow == CLIENT_FOLLOW_MAX)
		e = cause_set(&c, -ERR_LIMIT, "--follow-socket: more than %d",
		    CLIENT_FOLLOW_MAX);
	if (e != 0) {
		fprintf(stderr, "rmux: ");
		sys_complain(cause_text(&c));
		cause_fini(&c);
		return false;
	}
	/* A server that knows no such option does nothing. */
	snprintf(w->has, sizeof(w->has), "#{m:* %.32s *, #{follow-sockets} }",
	    spec.listen.host);
	snprintf(w->set, sizeof(w->set),
	    "set-option -sqa follow-sockets ' %.32s'", spec.listen.host);
	a->nfollow++;
	forward_add(a, &spec);
	return true;
}

void
client_args_agent(struct client_args *a, bool asked)
{
	struct forward_spec spec = { .kind = FORWARD_AGENT,
		.connect = { .kind = SSP_PLACE_UNIX } };
	const char *path = getenv("SSH_AUTH_SOCK");

	if ((a->flags & CONTROL_FLAG_AGENT) != 0)
		return;
	if (path == NULL || *path == '\0' ||
	    strlen(path) >= sizeof(spec.connect.host)) {
		if (asked)
			fprintf(stderr, "rmux: -A: SSH_AUTH_SOCK names no "
					"agent\n");
		return;
	}
	snprintf(spec.connect.host, sizeof(spec.connect.host), "%s", path);
	forward_add(a, &spec);
	a->flags |= CONTROL_FLAG_AGENT;
	a->remote.ssh.flags |= CONTROL_FLAG_AGENT;
}

/* An option of ssh for the host. */
static void
ssh_option(void *arg, const char *key, const char *value)
{
	struct client_args *a = arg;
	struct roam_cfg *cfg = &a->remote;
	struct cause c = { NULL };
	struct forward_spec spec;
	enum forward_kind kind;

	if (strcmp(key, "forwardagent") == 0 && strcmp(value, "yes") == 0)
		client_args_agent(a, false);
	if (strcmp(key, "exitonforwardfailure") == 0)
		cfg->forward_or_exit = strcmp(value, "yes") == 0;
	if (strcmp(key, "localforward") == 0)
		kind = FORWARD_LOCAL;
	else if (strcmp(key, "remoteforward") == 0)
		kind = FORWARD_REMOTE;
	/* ssh writes what is between two Unix sockets twice. */
	else if (strcmp(key, "dynamicforward") == 0 && *value != '/')
		kind = FORWARD_DYNAMIC;
	else
		return;
	cfg->ssh.clear_forwards = true;
	if (forward_spec_parse(kind, value, &spec, &c) == 0) {
		forward_add(a, &spec);
	} else {
		fprintf(stderr, "rmux: from ssh's configuration: %s\n",
		    cause_text(&c));
	}
	cause_fini(&c);
}

void
client_args_ssh_forwards(struct client_args *a)
{
	if (!a->no_ssh_forwards)
		bootstrap_options(&a->remote.ssh, ssh_option, a);
}

bool
client_args_take_me(struct client_args *a)
{
	const char **argv = a->argv;
	size_t i, k, from;

	for (i = 1; argv[i] != NULL && strcmp(argv[i], "--") != 0 &&
		    strcmp(argv[i], ";") != 0;) {
		if (strcmp(argv[i], "--me") != 0 &&
		    strncmp(argv[i], "--me=", 5) != 0) {
			i++;
			continue;
		}
		from = i;
		if (client_args_long(a, argv, &i) <= 0)
			return false;
		for (k = from; (argv[k] = argv[++i]) != NULL; k++)
			;
		i = from;
	}
	return true;
}

int
client_args_long(struct client_args *a, const char *const *argv, size_t *i)
{
	const char *word = argv[*i] + 2, *value = strchr(word, '=');
	size_t n = value == NULL ? strlen(word) : (size_t)(value - word);
	const struct option *o;

	for (o = client_long; o->name != NULL; o++)
		if (strlen(o->name) == n && strncmp(o->name, word, n) == 0)
			break;
	if (o->name == NULL || o->val == OPTION_HELP || o->val == 'V')
		return 0;
	if (o->has_arg == no_argument)
		return value == NULL && client_remote_option(a, o->val, "")
			   ? 1
			   : -1;
	if (value == NULL && (value = argv[*i + 1]) != NULL)
		(*i)++;
	else if (value != NULL)
		value++;
	if (value != NULL && o->val == OPTION_TRUST) {
		a->trust = value;
		return 1;
	}
	if (value == NULL || !client_remote_option(a, o->val, value))
		return -1;
	return 1;
}

bool
client_args_options(struct client_args *a, const char *const *argv, size_t *i,
    client_letters_fn letters, void *arg)
{
	int r;

	for (; argv[*i] != NULL && argv[*i][0] == '-' && argv[*i][1] != '\0';
	     (*i)++) {
		if (strcmp(argv[*i], "--") == 0) {
			(*i)++;
			return true;
		}
		if (argv[*i][1] != '-') {
			if (!letters(arg, argv, i))
				return false;
			continue;
		}
		if ((r = client_args_long(a, argv, i)) == 0)
			fprintf(stderr, "rmux: unknown option %s\n", argv[*i]);
		if (r <= 0)
			return false;
	}
	return true;
}

/* Adds words, and ";" behind them; returns the new number. */
static size_t
words_add(const char **all, size_t k, const char *const *words, size_t n)
{
	memcpy(all + k, words, n * sizeof(*words));
	all[k + n] = ";";
	return k + n + 1;
}

const char **
client_args_words(
    const struct client_args *a, const char *const *words, bool attach)
{
	const char *const set[] = { "set-option", "-s", "remote-ports",
		a->ports };
	const bool control = !attach && (a->flags & CONTROL_FLAG_CONTROL) != 0;
	/* The word of a client without a view must stand alone. */
	const size_t follow =
	    attach && words[0] != NULL &&
		    strcmp(words[0], CONTROL_STREAMS_WORD) != 0
		? a->nfollow
		: 0;
	const char **all;
	size_t n = 0, k = 0, i;

	if (a->ports == NULL && !control && follow == 0)
		return NULL;
	while (words[n] != NULL)
		n++;
	all = mem_calloc(
	    1 + (1 + follow) * (CLIENT_FOLLOW_WORDS + 1) + n + 1, sizeof(*all));
	if (control)
		all[k++] = "-C";
	if (a->ports != NULL)
		k = words_add(all, k, set, ARRAY_LEN(set));
	for (i = 0; i < follow; i++) {
		const char *const set_name[CLIENT_FOLLOW_WORDS] = { "if-shell",
			"-F", a->follow[i].has, "", a->follow[i].set };

		k = words_add(all, k, set_name, ARRAY_LEN(set_name));
	}
	memcpy(all + k, words, n * sizeof(*words));
	return all;
}
