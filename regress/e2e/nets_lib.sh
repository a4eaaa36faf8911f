#!/bin/sh
# shellcheck disable=SC2154
# Sourced by scripts about interfaces and addresses, after remote_lib.sh: two network
# namespaces, which end with the processes that hold them.  Needs root.
#
# at_there WORDS, at_here WORDS  run a command in either; $there and $here hold them
# ssh_goes_there                 the stand-in for ssh runs its command there
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ "$(id -u)" = 0 ] || skip_all "not root"
for tool in ip nsenter unshare; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

unshare -n sleep 900 &
there=$!
unshare -n sleep 900 &
here=$!
e2e_pids="$e2e_pids $there $here"

own_net() {
	[ "$(readlink /proc/"$1"/ns/net)" != "$(readlink /proc/self/ns/net)" ]
}
wait_for 'own_net $there && own_net $here' || skip_all "no networks of one's own"
at_there() {
	nsenter -t "$there" -n "$@"
}
at_here() {
	nsenter -t "$here" -n "$@"
}

ssh_goes_there() {
	mv "$e2e_dir/ssh" "$e2e_dir/ssh.real"
	cat >"$e2e_dir/ssh" <<END
#!/bin/sh
exec nsenter -t $there -n "$e2e_dir/ssh.real" "\$@"
END
	chmod +x "$e2e_dir/ssh"
}
