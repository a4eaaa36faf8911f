#!/bin/sh
# Programs that people use over rmux, all at once, while the client's address changes,
# the link is cut, and UDP is blocked and comes back: each ends, with the right bytes.
# E2E_LONG=1: the cut lasts 40 s, in which a client opens all its sockets; the tree has the size of a kernel's folder.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
have python3 curl git rsync ssh-agent ssh-add ssh-keygen || skip_all "no python3, curl, git, rsync or ssh-agent"
ssh-keygen -Y 2>&1 | grep -q 'unknown option' && skip_all "no ssh-keygen -Y"

cut_secs=4 files=2500
[ -z "${E2E_LONG:-}" ] || cut_secs=40 files=15000

# Through ssh bytes go slowly, so that the work lasts until UDP is back; and nothing
# while the link is cut.
sed -i -e 's/-p) shift 2/-p | -o | -F | -i) shift 2/' -e '2i [ ! -e "'"$e2e_dir"'/cut" ] || exit 255' \
	-e 's|^exec "|exec python3 "'"$e2e_src"'/regress/e2e/slow_ssh.py" 150000 40000 "'"$e2e_dir"'/carried" "|' "$e2e_dir/ssh"

# --- the work --------------------------------------------------------------------------

# tree FOLDER FILES SEED: files of the sizes that source code has.
tree() {
	python3 - "$@" <<-'PY'
		import os, random, sys
		folder, files, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
		r = random.Random(seed)
		for i in range(files):
		    d = f'{folder}/d{i % 40}/e{i % 7}'
		    os.makedirs(d, exist_ok=True)
		    with open(f'{d}/f{i}', 'wb') as out:
		        out.write(r.randbytes(int(r.lognormvariate(8, 1))))
	PY
}
tree "$e2e_dir/tree" "$files" 1
head -c 12000000 /dev/urandom >"$e2e_dir/large"
git init -q --bare "$e2e_dir/push.git"
git init -q --bare "$e2e_dir/clone.git"
git init -q "$e2e_dir/repo"
cp -r "$e2e_dir/tree" "$e2e_dir/repo/"
(cd "$e2e_dir/repo" && git add . && git -c user.name=a -c user.email=a@b commit -qm all &&
	git push -q "$e2e_dir/clone.git" HEAD:refs/heads/main) >/dev/null 2>&1

agent_here || skip_all "no ssh-agent"
git init -q "$e2e_dir/signs"
cat >"$e2e_dir/signer" <<END
#!/bin/sh
# Lists keys and signs until the file "enough" is there.
cd "$e2e_dir/signs" || exit 1
until [ -e "$e2e_dir/enough" ]; do
	ssh-add -l 2>&1 | sed 's/.*key-here.*/listed/'
	git -c user.name=a -c user.email=a@b -c gpg.format=ssh -c user.signingkey="$e2e_dir/key.pub" \\
		commit -q --allow-empty -S -m x 2>&1 && echo signed
done >"$e2e_dir/signer.log"
touch "$e2e_dir/signer.done"
END
chmod +x "$e2e_dir/signer"

# A database of one's own.  It refuses root, who lends it to nobody.
pg_bin=$(for d in /usr/lib/postgresql/*/bin /usr/local/pgsql/bin; do [ ! -x "$d/initdb" ] || echo "$d"; done | tail -1)
pg=$e2e_dir/pg
pg_as=
pg_pid=
# sql FOLDER WORDS: psql at the socket in FOLDER.
sql() {
	sql_at=$1
	shift
	psql -X -q -v ON_ERROR_STOP=1 -h "$sql_at" -U pg -d postgres "$@"
}
# pg_start: makes and starts it, else leaves the reason in $pg_why.
pg_start() {
	pg_why="no initdb or no psql"
	[ -n "$pg_bin" ] && have psql && mkdir "$pg" || return 1
	if [ "$(id -u)" = 0 ]; then
		pg_why="root, and no setpriv"
		have setpriv && chown 65534:65534 "$pg" && chmod 711 "$e2e_dir" || return 1
		pg_as="setpriv --reuid=65534 --regid=65534 --clear-groups"
	fi
	pg_why="initdb fails"
	(cd / && $pg_as "$pg_bin/initdb" -N -A trust -U pg -E UTF8 --no-locale -D "$pg/data") >"$e2e_dir/pg.log" 2>&1 || return 1
	(cd / && exec $pg_as "$pg_bin/postgres" -F -D "$pg/data" -c listen_addresses= -k "$pg") >>"$e2e_dir/pg.log" 2>&1 &
	pg_pid=$!
	e2e_pids="$e2e_pids $pg_pid"
	pg_why="postgres does not start"
	wait_for 'sql "$pg" -c "select 1" >/dev/null 2>&1' 20 || return 1
	pg_why="no tables"
	base64 -w 100 /dev/urandom | head -n 198000 >"$e2e_dir/rows"
	mkdir "$e2e_dir/pgs"
	sql "$pg" -c 'create table away (line text)' && sql "$pg" -c 'create table back (line text)' &&
		sql "$pg" -c "\\copy back from '$e2e_dir/rows'" || return 1
	pg_why=
}
pg_start || sed 's/^/# /' "$e2e_dir/pg.log" 2>/dev/null

web "$e2e_dir"
read -r l r d <<END
$(free_ports)
END

# --- the connections -------------------------------------------------------------------

far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
cat >"$e2e_dir/rsh" <<END
#!/bin/sh
exec "$e2e_rmux" exec --again=1 --ssh="$e2e_dir/ssh" --server="$e2e_rmux" --udp=127.0.0.1:$relay_port "\$@"
END
chmod +x "$e2e_dir/rsh"
over() {
	words="-A --again=1 --udp=127.0.0.1:$relay_port -L $l:127.0.0.1:$http -R $r:127.0.0.1:$http -D $d"
	[ -n "$pg_why" ] || words="$words -L $e2e_dir/pgs/.s.PGSQL.5432:$pg/.s.PGSQL.5432"
	outer_start 100 24 "SSH_AUTH_SOCK='$e2e_dir/agent' $(remote_cmd "$words")"
	expect_screen '\[far\]' 15
}
check "attach with -A, -L, -R and -D" over

# begin NAME COMMAND...: in the background; NAME.code gets its exit code and seconds.
programs=
begin() {
	name=$1
	shift
	programs="$programs $name"
	(
		from=$(date +%s)
		timeout 300 "$@" >"$e2e_dir/$name.out" 2>&1
		echo "$? $(($(date +%s) - from))" >"$e2e_dir/$name.part"
		mv "$e2e_dir/$name.part" "$e2e_dir/$name.code"
	) &
	e2e_pids="$e2e_pids $!"
}
# moved PLACE...: each has a file with bytes.
moved() {
	for place; do
		[ -n "$(find "$place" -type f -size +0 2>/dev/null | head -1)" ] || return 1
	done
}
begins() {
	export GIT_SSH_COMMAND="$e2e_dir/rsh"
	begin clone git clone -q -b main "h:$e2e_dir/clone.git" "$e2e_dir/clone"
	begin push git -C "$e2e_dir/repo" push -q "h:$e2e_dir/push.git" HEAD:refs/heads/main
	begin there rsync -a -e "$e2e_dir/rsh" "$e2e_dir/tree/" "h:$e2e_dir/there/"
	begin back rsync -a -e "$e2e_dir/rsh" "h:$e2e_dir/tree/" "$e2e_dir/back/"
	begin curl-L curl -sS -o "$e2e_dir/curl-L.got" "http://127.0.0.1:$l/large"
	begin curl-R curl -sS -o "$e2e_dir/curl-R.got" "http://127.0.0.1:$r/large"
	begin curl-D curl -sS -o "$e2e_dir/curl-D.got" --socks5-hostname "127.0.0.1:$d" "http://localhost:$http/large"
	far new-window -d -t far: "'$e2e_dir/signer'"
	if [ -z "$pg_why" ]; then
		begin psql-in psql -X -q -v ON_ERROR_STOP=1 -h "$e2e_dir/pgs" -U pg -d postgres -c "\\copy away from '$e2e_dir/rows'"
		begin psql-out psql -X -q -v ON_ERROR_STOP=1 -h "$e2e_dir/pgs" -U pg -d postgres -c "\\copy back to '$e2e_dir/rows.got'"
		wait_for "moved '$e2e_dir/rows.got'" 30 &&
			wait_for '[ "$(sql "$pg" -At -c "select pg_relation_size('"'away'"') > 0")" = t ]' 30 || return 1
	fi
	wait_for "moved '$e2e_dir/clone/.git/objects/pack' '$e2e_dir/there' '$e2e_dir/back' \
		'$e2e_dir/curl-L.got' '$e2e_dir/curl-R.got' '$e2e_dir/curl-D.got'" 30 && more 2
}
lines() { cat "$e2e_dir/signer.log" 2>/dev/null | wc -l; }
# more COUNT: the agent has answered so often again.
more() {
	had=$(lines)
	wait_for "[ \$(lines) -ge $((had + $1)) ]" 30
}
# all_run: nothing has ended.
all_run() {
	for name in $programs signer; do
		[ ! -e "$e2e_dir/$name.code" ] || { echo "$name has ended: $(cat "$e2e_dir/$name.code")"; return 1; }
	done
}

# --- the trouble -----------------------------------------------------------------------

relay_say "both rate=400000"
check "ten programs begin" begins
check "and all run" all_run
moves() {
	relay_say rebind
	more 4 && all_run
}
check "the client's address changes" moves
cuts() {
	until=$(($(date +%s) + cut_secs))
	touch "$e2e_dir/cut"
	relay_say "both off=1"
	wait_for '[ "$(date +%s)" -ge $until ]' $((cut_secs + 5))
	rm "$e2e_dir/cut"
	relay_say "both off=0"
	more 4 && all_run
}
check "the link is cut" cuts
# What ssh carried before does not count.
blocked() {
	rm -f "$e2e_dir/carried"
	relay_say "both off=1"
	wait_for '[ "$(sort -u "$e2e_dir/carried" 2>/dev/null | wc -l)" -ge 5 ]' 60 || { cat "$e2e_dir/carried"; return 1; }
	more 2 && all_run
}
check "UDP is blocked: all five connections go through ssh" blocked
ssh_ended() {
	while read -r p; do
		! alive "$p" || return 1
	done <"$e2e_dir/carried"
}
unblocked() {
	relay_say "both off=0"
	wait_for ssh_ended 60 && more 2 && all_run
}
check "UDP is back: ssh is left" unblocked

# --- the end ---------------------------------------------------------------------------

relay_say "both rate=0"
# ends NAME: it has ended well.
ends() {
	wait_for "[ -e '$e2e_dir/$1.code' ]" 120 || { echo "$1 hangs"; return 1; }
	read -r code secs <"$e2e_dir/$1.code"
	[ -z "${E2E_LONG:-}" ] || echo "# $1: exit code $code after $secs s" >&3
	[ "$code" = 0 ] || { cat "$e2e_dir/$1.out"; return 1; }
}
same() { # WHAT, then NAME...: each file is WHAT
	what=$1
	shift
	for name; do
		cmp "$what" "$e2e_dir/$name" || return 1
	done
}
exec 3>&1
cloned() { ends clone && diff -r "$e2e_dir/tree" "$e2e_dir/clone/tree"; }
check "git clone" cloned
pushed() {
	ends push && git --git-dir="$e2e_dir/push.git" fsck --strict &&
		[ "$(git --git-dir="$e2e_dir/push.git" rev-parse main)" = "$(git -C "$e2e_dir/repo" rev-parse HEAD)" ]
}
check "git push" pushed
there() { ends there && diff -r "$e2e_dir/tree" "$e2e_dir/there"; }
check "rsync -a there" there
back() { ends back && diff -r "$e2e_dir/tree" "$e2e_dir/back"; }
check "rsync -a back" back
for how in -L -R -D; do
	got() { ends "curl$how" && same "$e2e_dir/large" "curl$how.got"; }
	check "curl through $how" got
done
signs() {
	touch "$e2e_dir/enough"
	wait_for "[ -e '$e2e_dir/signer.done' ]" 30 || return 1
	n=$(grep -c '^signed$' "$e2e_dir/signer.log")
	[ -z "${E2E_LONG:-}" ] || echo "# $n commits" >&3
	[ "$(lines)" = $((2 * n)) ] && [ "$(grep -c '^listed$' "$e2e_dir/signer.log")" = "$n" ] &&
		[ "$(git -C "$e2e_dir/signs" -c gpg.ssh.allowedSignersFile="$e2e_dir/signers" log --format=%G? | grep -c '^G$')" = "$n" ] ||
		{ sort "$e2e_dir/signer.log" | uniq -c; return 1; }
}
check "ssh-add -l, and commits signed by the agent" signs
copied() {
	ends psql-in && ends psql-out && sql "$pg" -c "\\copy away to '$e2e_dir/away.got'" &&
		same "$e2e_dir/rows" rows.got away.got
}
if [ -z "$pg_why" ]; then check "psql copies in and out through a Unix socket" copied; else skip "psql" "$pg_why"; fi
check "and leave" leaves
relay_stop
far_stop
[ -z "$pg_pid" ] || kill -INT "$pg_pid"
kill "$web_pid" 2>/dev/null
done_testing
