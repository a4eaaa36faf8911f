/*
 * sensors - a gateway sends the readings of its sensors to a collector, with libssp.
 *
 *	sensors secret                           prints a secret
 *	sensors collect ADDRESS PORT GATEWAYS    waits for so many, then prints all
 *	sensors send ADDRESS PORT NAME UPDATES   measures so often, then ends
 *
 * The environment variable SSP_SECRET has the secret. Port 0 is any; the collector
 * prints which.
 *
 * A reading changes thousands of times, and only the newest counts: the value of
 * a gateway is a table of numbers, and a difference names those that changed since
 * the state that the collector has, however many datagrams were lost between.
 *
 *	cc sensors.c $(pkg-config --cflags --libs ssp)
 */
#include <ssp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SENSORS 64
#define NAME "sensors 1" /* of the protocol between both programs */
#define PATIENCE 30000   /* ms without a word, then a gateway is lost */

struct readings {
	char gateway[16];
	int32_t value[SENSORS];
};

/* --- the value ------------------------------------------------------------------- */

static void *
readings_clone(const void *value)
{
	struct readings *r = malloc(sizeof *r);

	if (r == NULL)
		abort();
	return memcpy(r, value, sizeof *r);
}

static bool
readings_equal(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct readings)) == 0;
}

/* The name, then five bytes for each reading that changed. */
static int
readings_diff(const void *from, const void *to, struct ssp_out *out)
{
	const struct readings *x = from, *y = to;
	uint8_t b[5];
	uint32_t v;
	int i, e;

	if (readings_equal(x, y))
		return 0;
	e = ssp_put(out, y->gateway, sizeof y->gateway);
	for (i = 0; i < SENSORS && e == 0; i++) {
		if (x->value[i] == y->value[i])
			continue;
		v = (uint32_t)y->value[i];
		b[0] = (uint8_t)i;
		b[1] = (uint8_t)(v >> 24);
		b[2] = (uint8_t)(v >> 16);
		b[3] = (uint8_t)(v >> 8);
		b[4] = (uint8_t)v;
		e = ssp_put(out, b, sizeof b);
	}
	return e;
}

/* The bytes come from the other end: look at all of them before any is used. */
static int
readings_apply(void *value, const uint8_t *p, size_t n)
{
	struct readings *r = value;
	size_t i;

	if (n == 0)
		return 0;
	if (n < sizeof r->gateway || (n - sizeof r->gateway) % 5 != 0 ||
	    memchr(p, '\0', sizeof r->gateway) == NULL)
		return SSP_E_PEER;
	/* A name that is printed has nothing that a terminal would obey. */
	for (i = 0; p[i] != '\0'; i++)
		if (p[i] < ' ' || p[i] == 127)
			return SSP_E_PEER;
	for (i = sizeof r->gateway; i < n; i += 5)
		if (p[i] >= SENSORS)
			return SSP_E_PEER;
	memcpy(r->gateway, p, sizeof r->gateway);
	for (i = sizeof r->gateway; i < n; i += 5)
		r->value[p[i]] =
		    (int32_t)((uint32_t)p[i + 1] << 24 |
			      (uint32_t)p[i + 2] << 16 |
			      (uint32_t)p[i + 3] << 8 | (uint32_t)p[i + 4]);
	return 0;
}

static const struct ssp_object readings_object = {
	.size = sizeof(struct ssp_object),
	.clone = readings_clone,
	.free = free,
	.equal = readings_equal,
	.diff = readings_diff,
	.apply = readings_apply,
};

static void
die(const char *what, int error)
{
	fprintf(stderr, "sensors: %s: %s\n", what, ssp_strerror(error));
	exit(1);
}

static struct ssp *
open_end(bool server, uint64_t id)
{
	static const struct readings nothing;
	uint8_t secret[SSP_SECRET_SIZE];
	const char *text = getenv("SSP_SECRET");
	struct ssp_config c;
	struct ssp *s;
	int e = ssp_secret_parse(text == NULL ? "" : text, secret);

	if (e != 0)
		die("SSP_SECRET", e);
	ssp_config_init(&c, sizeof c);
	c.server = server;
	c.secret = secret;
	c.id = id;
	c.name = NAME;
	c.name_size = sizeof NAME - 1;
	c.local_object = c.remote_object = &readings_object;
	c.local = readings_clone(&nothing);
	c.remote = readings_clone(&nothing);
	e = ssp_new(&s, &c, ssp_udp_now());
	if (e != 0)
		die("no connection", e);
	return s;
}

/* --- the gateway ----------------------------------------------------------------- */

static void
measure(struct ssp *s, const char *name, int turn, int updates)
{
	struct readings *r = ssp_local(s);
	int left = updates - turn;

	snprintf(r->gateway, sizeof r->gateway, "%s", name);
	/* The last round gives every sensor its final reading. */
	r->value[left <= SENSORS ? left - 1 : turn * 7 % SENSORS] = turn;
	ssp_changed(s, ssp_udp_now());
}

static int
send_readings(const char *address, int port, const char *name, int updates)
{
	struct ssp_udp *u;
	struct ssp_event ev;
	struct ssp *s;
	uint64_t id;
	int e, turn = 0;

	ssp_id_new(&id);
	s = open_end(false, id);
	e = ssp_udp_connect(&u, s, address, (uint16_t)port);
	if (e != 0)
		die(address, e);
	while (ssp_state(s) != SSP_STATE_ENDED) {
		if (turn < updates) {
			measure(s, name, turn++, updates);
		} else if (ssp_state(s) == SSP_STATE_UP) {
			/* The newest readings still go. */
			ssp_close(s, ssp_udp_now());
		}
		ssp_udp_step(u, 1);
		while (ssp_event(s, &ev))
			if (ev.type == SSP_EVENT_SILENT)
				fprintf(stderr, "sensors: no answer\n");
	}
	ssp_udp_free(u);
	ssp_free(s);
	return 0;
}

/* --- the collector --------------------------------------------------------------- */

#define GATEWAYS 100

struct collector {
	struct ssp *end[GATEWAYS];
	int n, left;
	uint64_t values;
};

static struct ssp *
collector_accept(void *arg, uint64_t id)
{
	struct collector *c = arg;

	if (c->n == GATEWAYS)
		return NULL;
	return c->end[c->n++] = open_end(true, id);
}

static void
collector_print(const struct collector *c, const struct ssp *s)
{
	const struct readings *r = ssp_remote(s, NULL);
	int i;

	printf("%s", r->gateway);
	for (i = 0; i < SENSORS; i++)
		printf(" %d", (int)r->value[i]);
	printf("\n");
	fprintf(stderr, "%s ends after %llu states of all\n", r->gateway,
	    (unsigned long long)c->values);
}

/* Takes the events of the Ith end; false when it has gone. */
static bool
collector_end(struct collector *c, int i)
{
	struct ssp *s = c->end[i];
	uint64_t now = ssp_udp_now();
	struct ssp_event ev;
	struct ssp_stats st;

	while (ssp_event(s, &ev)) {
		c->values += ev.type == SSP_EVENT_REMOTE;
		if (ev.type == SSP_EVENT_CLOSED) {
			collector_print(c, s);
			c->left--;
		}
	}
	ssp_stats(s, now, &st, sizeof st);
	if (ssp_state(s) != SSP_STATE_ENDED && now - st.heard < PATIENCE)
		return true;
	ssp_free(s);
	c->end[i] = c->end[--c->n];
	return false;
}

static int
collect(const char *address, int port, int gateways)
{
	uint8_t secret[SSP_SECRET_SIZE];
	struct collector c = { .left = gateways };
	struct ssp_udp *u;
	int i, e = ssp_udp_serve(&u, address, (uint16_t)port);

	if (e != 0)
		die(address, e);
	if ((e = ssp_secret_parse(
		 getenv("SSP_SECRET") ? getenv("SSP_SECRET") : "", secret)) !=
	    0)
		die("SSP_SECRET", e);
	ssp_udp_accept(u, secret, NAME, sizeof NAME - 1, collector_accept, &c);
	printf("port %u\n", ssp_udp_port(u));
	fflush(stdout);
	while (c.left > 0 || c.n > 0) {
		ssp_udp_step(u, 1000);
		for (i = 0; i < c.n;)
			i += collector_end(&c, i);
	}
	ssp_udp_free(u);
	return 0;
}

int
main(int argc, char **argv)
{
	uint8_t secret[SSP_SECRET_SIZE];
	char text[SSP_SECRET_TEXT_SIZE];

	if (argc == 2 && strcmp(argv[1], "secret") == 0) {
		if (ssp_secret_new(secret) != 0)
			return 1;
		ssp_secret_format(secret, text);
		printf("%s\n", text);
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "collect") == 0)
		return collect(argv[2], atoi(argv[3]), atoi(argv[4]));
	if (argc == 6 && strcmp(argv[1], "send") == 0)
		return send_readings(
		    argv[2], atoi(argv[3]), argv[4], atoi(argv[5]));
	fprintf(stderr,
	    "usage: sensors secret | collect ADDRESS PORT GATEWAYS |"
	    " send ADDRESS PORT NAME UPDATES\n");
	return 2;
}
