/* Variables of the server, of clients and of paste buffers. */
#include <string.h>

#include "base/mem.h"
#include "base/tmux.h"
#include "conf/mode_format.h"
#include "mux/fmt/vars_int.h"

/* Bytes of a paste buffer in buffer_sample. */
#define VARS_SAMPLE 200

bool
var_host(const struct vars *v, struct buf *out)
{
	return vars_server(v, "host", out);
}

bool
var_host_short(const struct vars *v, struct buf *out)
{
	return vars_server(v, "host_short", out);
}

bool
var_pid(const struct vars *v, struct buf *out)
{
	return vars_server(v, "pid", out);
}

bool
var_uid(const struct vars *v, struct buf *out)
{
	return vars_server(v, "uid", out);
}

bool
var_user(const struct vars *v, struct buf *out)
{
	return vars_server(v, "user", out);
}

bool
var_socket_path(const struct vars *v, struct buf *out)
{
	return vars_server(v, "socket_path", out);
}

bool
var_start_time(const struct vars *v, struct buf *out)
{
	return vars_server(v, "start_time", out);
}

bool
var_tree_mode_format(UNUSED const struct vars *v, struct buf *out)
{
	return put_str(out, MODE_FORMAT_TREE);
}

bool
var_client_mode_format(UNUSED const struct vars *v, struct buf *out)
{
	return put_str(out, MODE_FORMAT_CLIENT);
}

bool
var_buffer_mode_format(UNUSED const struct vars *v, struct buf *out)
{
	return put_str(out, MODE_FORMAT_BUFFER);
}

bool
var_tmux_compat_dir(const struct vars *v, struct buf *out)
{
	return vars_server(v, "tmux_compat_dir", out);
}

bool
var_config_files(const struct vars *v, struct buf *out)
{
	return vars_server(v, "config_files", out);
}

bool
var_current_file(const struct vars *v, struct buf *out)
{
	return vars_server(v, "current_file", out);
}

bool
var_sixel_support(const struct vars *v, struct buf *out)
{
	(void)v;
	return put_flag(out, false);
}

bool
var_version(const struct vars *v UNUSED, struct buf *out)
{
	return put_str(out, TMUX_VERSION);
}

bool
var_server_sessions(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->m->sessions.count);
}

bool
var_next_session_id(const struct vars *v, struct buf *out)
{
	return buf_addf(out, "$%u", v->m->next_session) == 0;
}

bool
var_session_format(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->kind == VARS_SESSION);
}

bool
var_window_format(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->kind == VARS_WINDOW);
}

bool
var_pane_format(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->kind == VARS_PANE);
}

bool
var_client_activity(const struct vars *v, struct buf *out)
{
	return put_time(out, v->client->activity);
}

bool
var_client_created(const struct vars *v, struct buf *out)
{
	return put_time(out, v->client->created);
}

bool
var_client_name(const struct vars *v, struct buf *out)
{
	return put_str(out, v->client->name);
}

bool
var_client_tty(const struct vars *v, struct buf *out)
{
	return put_str(out, v->client->tty);
}

bool
var_client_pid(const struct vars *v, struct buf *out)
{
	return put_int(out, v->client->pid);
}

bool
var_client_uid(const struct vars *v, struct buf *out)
{
	return v->client->uid >= 0 && put_int(out, v->client->uid);
}

bool
var_client_user(const struct vars *v, struct buf *out)
{
	return put_str(out, v->client->user);
}

bool
var_client_width(const struct vars *v, struct buf *out)
{
	return put_int(out, v->client->w);
}

bool
var_client_height(const struct vars *v, struct buf *out)
{
	/* As in tmux: it has no terminal. */
	if ((v->client->flags & CLIENT_CONTROL) != 0)
		return put_str(out, "");
	return put_int(out, v->client->h);
}

bool
var_client_cell_width(const struct vars *v, struct buf *out)
{
	return put_int(out, v->client->outer.cell_w);
}

bool
var_client_cell_height(const struct vars *v, struct buf *out)
{
	return put_int(out, v->client->outer.cell_h);
}

bool
var_client_colours(const struct vars *v, struct buf *out)
{
	return put_int(out, v->client->colours);
}

bool
var_client_session(const struct vars *v, struct buf *out)
{
	return v->client->session != NULL &&
	       put_str(out, v->client->session->name);
}

bool
var_client_readonly(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->client->flags & CLIENT_READONLY);
}

bool
var_client_role(const struct vars *v, struct buf *out)
{
	return client_role_put(v->client, out) == 0;
}

bool
var_client_control_mode(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->client->flags & CLIENT_CONTROL);
}

bool
var_client_utf8(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->client->flags & CLIENT_UTF8);
}

bool
var_client_termname(const struct vars *v, struct buf *out)
{
	return put_str(out, v->client->term);
}

bool
var_client_termtype(const struct vars *v, struct buf *out)
{
	return put_str(out, v->client->term_type);
}

bool
var_client_termfeatures(const struct vars *v, struct buf *out)
{
	return put_str(out, v->client->term_features);
}

bool
var_client_key_table(const struct vars *v, struct buf *out)
{
	return put_str(out, client_table(v->client));
}

bool
var_client_written(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->client->written);
}

bool
var_client_discarded(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->client->discarded);
}

bool
var_buffer_name(const struct vars *v, struct buf *out)
{
	return put_str(out, v->buffer->name);
}

bool
var_buffer_size(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->buffer->size);
}

bool
var_buffer_created(const struct vars *v, struct buf *out)
{
	return put_time(out, v->buffer->created);
}

bool
var_buffer_full(const struct vars *v, struct buf *out)
{
	return buf_add(out, v->buffer->data, v->buffer->size) == 0;
}

bool
var_client_last_session(const struct vars *v, struct buf *out)
{
	const struct session *s = mux_session(v->m, v->client->last_session);

	return s != NULL && put_str(out, s->name);
}

bool
var_client_flags(const struct vars *v, struct buf *out)
{
	char *text = client_flags_text(v->client);
	bool ok = put_str(out, text);

	mem_free(text);
	return ok;
}

/* Looks up the state of a client's connection, which only the server knows. */
static bool
vars_link(const struct vars *v, const char *name, struct buf *out)
{
	return v->host != NULL && v->host->client != NULL &&
	       v->host->client(v->host->arg, v->client, name, out);
}

bool
var_client_badge(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_badge", out);
}

bool
var_client_predicted(const struct vars *v, struct buf *out)
{
	return v->client->predicted >= 0 && put_int(out, v->client->predicted);
}

bool
var_client_prefix(const struct vars *v, struct buf *out)
{
	const struct client *c = v->client;
	const char *usual = c->session == NULL
				? "root"
				: options_string(&c->options, OPTION_KEY_TABLE);

	return put_flag(out, strcmp(client_table(c), usual) != 0);
}

bool
var_client_theme(const struct vars *v, struct buf *out)
{
	switch (v->client->theme) {
	case CLIENT_THEME_LIGHT:
		return put_str(out, "light");
	case CLIENT_THEME_DARK:
		return put_str(out, "dark");
	case CLIENT_THEME_UNKNOWN:
		break;
	}
	return false;
}

bool
var_buffer_sample(const struct vars *v, struct buf *out)
{
	char *text = paste_sample(v->buffer, VARS_SAMPLE);
	bool ok = put_str(out, text);

	mem_free(text);
	return ok;
}

bool
var_client_address(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_address", out);
}

bool
var_client_words(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_words", out);
}

bool
var_client_history_held(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_history_held", out);
}

bool
var_client_key_exchange(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_key_exchange", out);
}

bool
var_client_forwards(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_forwards", out);
}

bool
var_client_last_heard(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_last_heard", out);
}

bool
var_client_link(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_link", out);
}

bool
var_client_loss(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_loss", out);
}

bool
var_client_pace(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_pace", out);
}

bool
var_client_rtt(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_rtt", out);
}

bool
var_client_silence(const struct vars *v, struct buf *out)
{
	return vars_link(v, "client_silence", out);
}
