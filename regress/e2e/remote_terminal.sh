#!/bin/sh
# Terminals and locales that differ between here and there.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

clients_are() {
	wait_for "[ \"\$(far list-clients -F '#{client_termname} #{client_utf8}')\" = '$1' ]"
}

# begins TEXT-OF-SHELL WHAT-CLIENTS-ARE
begins() {
	outer_start 80 24 "$1; $(remote_cmd)"
	expect_screen '\[far\]' && clients_are "$2"
}

unknown_term() {
	begins 'TERM=nosuch-terminal; export TERM' 'nosuch-terminal 1' &&
		outer_keys 'echo "is <$TERM>"' Enter &&
		expect_screen 'is <tmux-256color>' && leaves
}

# The remote shell uses UTF-8 as before; the client shows ? for a character that
# its terminal cannot show.
no_utf8_here() {
	begins 'unset LC_CTYPE LANG; LC_ALL=C; export LC_ALL' \
		'tmux-256color 0' || return 1
	outer_keys 'printf "a\303\244b $((6*7))\n"' Enter
	expect_screen '^a?b 42' && leaves
}

# The remote locale is C: the server takes the client's.
no_utf8_there() {
	far_stop
	mv "$e2e_dir/ssh" "$e2e_dir/ssh.real"
	cat >"$e2e_dir/ssh" <<END
#!/bin/sh
unset LANG LC_CTYPE
export LC_ALL=C
exec "$e2e_dir/ssh.real" "\$@"
END
	chmod +x "$e2e_dir/ssh"
	outer_start 80 24 "$(remote_cmd)"
	expect_screen '\[0\]' || return 1
	outer_keys 'printf "a\303\244b $((6*7))\n"' Enter
	expect_screen '^aäb 42' || return 1
	outer_keys exit Enter
	expect_screen '\[exited\]' && expect_screen '^sane'
}

# Every signal that ends the client restores the terminal.
state() {
	outer display-message -p \
		'#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}'
}

signalled() {
	rm -f "$e2e_dir/client.pid"
	outer_start 80 24 "stty -a >'$e2e_dir/stty.before'; sh -c 'echo \$\$ >$e2e_dir/client.pid; exec \"\$@\"' sh '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' 127.0.0.1; stty -a >'$e2e_dir/stty.after'; echo 'over'; cat"
	expect_screen '\[far\]' && wait_for '[ "$(state)" = "1 1 1 0" ]' &&
		kill "-$1" "$(cat "$e2e_dir/client.pid")" &&
		expect_screen '^over' &&
		cmp "$e2e_dir/stty.before" "$e2e_dir/stty.after" &&
		[ "$(state)" = "0 1 0 0" ]
}

far_start
far set-option -g mouse on
for signal in TERM HUP INT QUIT; do
	check "ended by SIG$signal" signalled $signal
done
check "a TERM that is known nowhere" unknown_term
check "no UTF-8 here" no_utf8_here
check "no UTF-8 there" no_utf8_there

far kill-server >/dev/null 2>&1
done_testing
