#!/bin/sh
# Programs that people use over forwards and commands there, while the link is silent
# for seconds, gets another address and loses: what arrives is whole.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
for tool in python3 curl git rsync; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

sed -i 's/-p) shift 2/-p | -o | -F | -i) shift 2/' "$e2e_dir/ssh"
far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
cat >"$e2e_dir/rsh" <<END
#!/bin/sh
exec "$e2e_rmux" exec --ssh="$e2e_dir/ssh" --server="$e2e_rmux" --udp=127.0.0.1:$relay_port "\$@"
END
chmod +x "$e2e_dir/rsh"

# trouble COMMAND...: runs it on a slow link that stalls in the middle.
trouble() {
	relay_say "both rate=400000"
	timeout 120 "$@" >"$e2e_dir/out" 2>&1 &
	long=$!
	e2e_pids="$e2e_pids $long"
	relay_stalls "$long" 0.05 || { sed 's/^/# /' "$e2e_dir/out"; return 1; }
	wait "$long"
	ended=$?
	relay_say "both loss=0"
	relay_say "both rate=0"
	[ $ended = 0 ] || sed 's/^/# /' "$e2e_dir/out"
	return $ended
}

mkdir "$e2e_dir/tree" && head -c 900000 /dev/urandom >"$e2e_dir/tree/large"
i=0
while [ $i -lt 150 ]; do
	mkdir -p "$e2e_dir/tree/d$((i % 10))"
	head -c $((i * 37)) /dev/urandom >"$e2e_dir/tree/d$((i % 10))/f$i"
	i=$((i + 1))
done

push() {
	git init -q --bare "$e2e_dir/repo.git" && cd "$e2e_dir/tree" && git init -q . &&
		git add . && git -c user.name=a -c user.email=a@b commit -qm all || return 1
	GIT_SSH_COMMAND="$e2e_dir/rsh" trouble git push -q "h:$e2e_dir/repo.git" HEAD:refs/heads/main &&
		git --git-dir="$e2e_dir/repo.git" fsck --strict >/dev/null 2>&1
}
check "git push" push
cd "$e2e_dir" || exit 1
clone() {
	GIT_SSH_COMMAND="$e2e_dir/rsh" trouble git clone -q -b main "h:$e2e_dir/repo.git" "$e2e_dir/clone" &&
		diff -r -x .git "$e2e_dir/tree" "$e2e_dir/clone"
}
check "git clone" clone
rm -rf "$e2e_dir/tree/.git"
there() {
	trouble rsync -a -e "$e2e_dir/rsh" "$e2e_dir/tree/" "h:$e2e_dir/there/" &&
		diff -r "$e2e_dir/tree" "$e2e_dir/there"
}
check "rsync -a of a tree, there" there
back() {
	trouble rsync -a -e "$e2e_dir/rsh" "h:$e2e_dir/there/" "$e2e_dir/back/" &&
		diff -r "$e2e_dir/tree" "$e2e_dir/back"
}
check "and back" back

web "$e2e_dir/tree"
read -r l r d <<END
$(free_ports)
END
over() {
	outer_start 100 24 "$(remote_cmd "--udp=127.0.0.1:$relay_port -L $l:127.0.0.1:$http -R $r:127.0.0.1:$http -D $d")"
	expect_screen '\[far\]' 15
}
check "attach with -L, -R and -D" over
gets() { # WORDS
	rm -f "$e2e_dir/got"
	trouble curl -sS -o "$e2e_dir/got" "$@" && cmp "$e2e_dir/got" "$e2e_dir/tree/large"
}
check "curl through -L" gets "http://127.0.0.1:$l/large"
check "curl through -R" gets "http://127.0.0.1:$r/large"
check "curl through -D" gets --socks5-hostname "127.0.0.1:$d" "http://localhost:$http/large"
check "keys go on" echoes after
check "and leave" leaves
relay_stop
far_stop

done_testing
