#!/bin/sh
# A machine without rmux: attach brings it along.  A stand-in for ssh runs the
# commands with a PATH and a home folder of their own.
# DEPLOY_PAYLOAD=FILE: the program that is brought (default: that of the build).
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ "$(uname -s)" = Linux ] || skip_all "only programs for Linux are copied"

arch=$(uname -m)
version=$("$e2e_rmux" -V | sed 's/^rmux //')
far_home="$e2e_dir/far home"
far_path=$e2e_dir/farbin
folder=$far_home/.local/libexec/rmux
there=$folder/rmux-$version
payload=$e2e_dir/payload
strip -o "$payload" "${DEPLOY_PAYLOAD:-$e2e_rmux}" 2>/dev/null ||
	cp "${DEPLOY_PAYLOAD:-$e2e_rmux}" "$payload"
mkdir "$far_home" "$far_path"
# far_has TOOL...: the far side's PATH has these, and nothing else.
far_has() {
	rm -f "$far_path"/*
	for tool; do
		tool_path=$(command -v "$tool") && ln -s "$tool_path" "$far_path/$tool"
	done
}
tools="sh cat mkdir mv rm chmod wc cut uname stty sleep id"
# shellcheck disable=SC2086 # words
far_has $tools sha256sum

# The stand-in: notes each command, and does as the files in $e2e_dir say.
cat >"$e2e_dir/ssh" <<EOF
#!/bin/sh
while [ \$# -gt 0 ]; do
	case \$1 in
	-G) exit 1 ;;
	-p) shift 2 ;;
	-*) shift ;;
	*) break ;;
	esac
done
shift
echo "\$\$" >"$e2e_dir/ssh.pid"
[ ! -f "$e2e_dir/said" ] || case \$* in
*RMUX\ MISSING*) cat "$e2e_dir/said"; exit 127 ;;
esac
case \$* in
*rmux-take*)
	echo take >>"$e2e_dir/takes"
	[ ! -f "$e2e_dir/hostile" ] || { cat "$e2e_dir/hostile" >&2; exit 1; }
	[ ! -f "$e2e_dir/full" ] || ulimit -f 64
	;;
esac
far() {
	exec env -i ${ASAN_OPTIONS:+"ASAN_OPTIONS=$ASAN_OPTIONS"} HOME="$far_home" \\
		PATH="\${far_path:-$far_path}" PS1='$ ' \\
		SHELL=/bin/sh LANG=C.UTF-8 RMUX_TMPDIR="$far_dir" "\$@"
}
echo "Welcome to a machine"
shell=/bin/sh
[ ! -f "$e2e_dir/shell" ] || read -r shell <"$e2e_dir/shell"
case \$*,\$([ ! -f "$e2e_dir/garble" ] || echo garble) in
*rmux-take*,garble) tr A B | far "\$shell" -c "\$*" ;;
*rmux-take*) tee "$e2e_dir/sent" | far "\$shell" -c "\$*" ;;
*) far "\$shell" -c "\$*" ;;
esac
EOF

# goes OPTIONS: an attach in the outer terminal.
goes() {
	rm -f "$e2e_dir/takes"
	outer_start 132 24 "RMUX= RMUX_DEPLOY='${chosen-$payload}' '$e2e_rmux' attach --ssh='$e2e_dir/ssh' $* 127.0.0.1; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
}
# What is in the far side's home folder.
home_holds() {
	(cd "$far_home" && find . -type f) | sort >"$e2e_dir/holds"
	printf '%s' "$1" | cmp -s - "$e2e_dir/holds" || {
		cat "$e2e_dir/holds"
		return 1
	}
}
only_rmux="./.local/libexec/rmux/rmux-$version
"
attached() {
	expect_screen '\[0\]' 20 && expect_screen '^[#$]'
}
ends() {
	far kill-server >/dev/null 2>&1
	expect_screen 'exit=' && expect_screen '^sane'
}
# fails SAYS...: the attach ends with these words.
fails() {
	expect_screen 'exit=1' 20 && expect_screen '^sane' || return 1
	for says; do
		expect_screen "$says" || return 1
	done
}

# --- asked ------------------------------------------------------------------------

asked() {
	goes
	expect_screen '^127.0.0.1 has no rmux\.' &&
		expect_screen "Copy rmux $version ($arch, [0-9.]* MB.*sha256 [0-9a-f]*) *to" &&
		expect_screen '\[y/N\]' && outer_screen | tr -d '\n' |
		grep -q "$(sha256sum <"$payload" | cut -c 1-64)"
}
refused() {
	outer_keys Enter
	fails 'Install it there, or let rmux copy itself' 'attach --deploy' &&
		[ ! -e "$e2e_dir/takes" ] && home_holds ''
}
accepted() {
	goes
	expect_screen '\[y/N\]' && outer_keys y Enter && attached &&
		cmp "$payload" "$there" && cmp "$payload" "$e2e_dir/sent" &&
		[ "$(stat -c %a "$there")" = 755 ] && home_holds "$only_rmux"
}
by_udp() {
	wait_for "[ \"\$(far list-clients -F '#{client_link}')\" = udp ]" &&
		echoes deployed && [ "$(readlink "/proc/$(far display-message -p \
			'#{pid}')/exe")" = "$there" ]
}
check "a user is asked, with the checksum" asked
check "refused: nothing is copied, and how to do it" refused
check "accepted: the file, and nothing else, is there" accepted
check "the deployed rmux serves the session over UDP" by_udp
check "the end gives the terminal back" ends

not_asked() {
	goes "$@"
	attached && [ ! -e "$e2e_dir/takes" ] && ends
}
check "the second attach does not ask" not_asked
chosen=/nowhere
check "nor one from a machine without a build" not_asked
unset chosen

# The rmux of PATH comes first.
installed() {
	printf '#!/bin/sh\n>"%s"\nexec "%s" "$@"\n' "$e2e_dir/used" "$e2e_rmux" \
		>"$far_path/rmux"
	chmod +x "$far_path/rmux"
	not_asked && [ -e "$e2e_dir/used" ]
	e2e_code=$?
	rm "$far_path/rmux"
	return $e2e_code
}
check "an installed rmux is preferred" installed

# --- another build ------------------------------------------------------------------

another() {
	cp "$there" "$there.new" && echo >>"$there.new" && mv "$there.new" "$there"
	goes
	expect_screen "127.0.0.1 has another rmux $version" &&
		outer_keys n Enter && fails 'another build' '--no-deploy' &&
		not_asked --no-deploy && ! cmp -s "$payload" "$there"
}
replaced() {
	goes --deploy
	attached && cmp "$payload" "$there" && home_holds "$only_rmux" &&
		[ -s "$e2e_dir/takes" ] && ends
}
no_checksum() {
	rm "$there"
	# shellcheck disable=SC2086 # words
	far_has $tools
	goes --deploy
	attached && cmp "$payload" "$there" && ends && not_asked
	e2e_code=$?
	# shellcheck disable=SC2086 # words
	far_has $tools sha256sum
	return $e2e_code
}
check "another build of this version: asked again" another
check "--deploy replaces it without asking" replaced
check "no program computes SHA-256 there: the size is compared" no_checksum

never() {
	rm -rf "$far_home/.local"
	goes --no-deploy
	fails 'there is no rmux on 127.0.0.1' && [ ! -e "$e2e_dir/takes" ]
}
check "--no-deploy never asks" never

# Commands that do not attach never ask.
command_there() {
	RMUX_DEPLOY=$payload "$e2e_rmux" --ssh="$e2e_dir/ssh" "$@"
}
commands() {
	rm -f "$e2e_dir/takes"
	command_there -H 127.0.0.1 start-server \; display-message -p 'I am here' >out 2>err </dev/null &&
		return 1
	grep 'no rmux on 127.0.0.1.*rmux --deploy -H 127.0.0.1' err && [ ! -e "$e2e_dir/takes" ] ||
		return 1
	command_there --deploy -H 127.0.0.1 start-server \; display-message -p 'I am here' >out 2>err </dev/null
	grep '^I am here' out && cmp "$payload" "$there" &&
		command_there -H 127.0.0.1 start-server \; display-message -p 'again' </dev/null |
		grep '^again'
}
check "a command: told how, copied with --deploy, then found" commands

# Shells that people log in to.
shells() {
	for login in sh bash dash zsh fish tcsh mksh; do
		command -v "$login" >"$e2e_dir/shell" || continue
		echo "$login"
		rm -rf "$far_home/.local"
		command_there --deploy -H 127.0.0.1 start-server \; display-message -p "it's \"\$a\"" </dev/null |
			grep "^it's \"\$a\"" && cmp "$payload" "$there" || return 1
	done
}
check "every login shell passes the commands on" shells
rm -f "$e2e_dir/shell"

# --- failures -----------------------------------------------------------------------

# breaks SAYS...: --deploy fails; nothing is left there.
breaks() {
	goes --deploy
	fails "$@" && home_holds "${left-}"
}
rm -rf "$far_home/.local"
touch "$e2e_dir/garble"
check "a file that arrives damaged" breaks 'another checksum' 'try again'
rm "$e2e_dir/garble"
touch "$e2e_dir/full"
check "a full disk" breaks 'cannot be written' 'is the disk full'
rm "$e2e_dir/full"
rm -rf "$far_home/.local"
echo >"$far_home/.local"
left='./.local
'
check "no folder can be made" breaks 'the folder cannot be made (' 'may you write there'
unset left
rm "$far_home/.local"
sed 's|/lib64/ld-linux|/lib65/ld-linux|g' "$payload" >"$e2e_dir/broken"
chosen=$e2e_dir/broken
if cmp -s "$payload" "$e2e_dir/broken"; then
	skip "a copy that does not run there" "the program needs no loader"
else
	check "a copy that does not run there" breaks 'the copy does not run there'
fi
chosen=/bin/sh
check "RMUX_DEPLOY names another program" breaks 'RMUX_DEPLOY is no help: /bin/sh is not rmux'
chosen=/nowhere/rmux
check "RMUX_DEPLOY names no file" breaks '/nowhere/rmux: No such file'
unset chosen

machine() { # SYSTEM MACHINE
	rm -f "$far_path/uname"
	printf '#!/bin/sh\ncase $1 in -s) echo %s ;; *) echo %s ;; esac\n' "$1" "$2" >"$far_path/uname"
	chmod +x "$far_path/uname"
}
machine Linux pdp11
check "another architecture: both are named" breaks 'which is Linux pdp11' "here is for Linux $arch"
machine Plan9 "$arch"
check "another system: both are named" breaks "which is Plan9 $arch" "here is for Linux $arch"
# shellcheck disable=SC2086 # words
far_has $tools sha256sum

# What a hostile machine says does not reach the terminal as it is.
printf 'first\n\033]2;owned\033\\\033[41mred\033[c\007\n' >"$e2e_dir/hostile"
hostile() {
	breaks 'failed: ssh ended with exit code 1 (' 'red' &&
		! outer_screen | grep -q first &&
		[ "$(outer display-message -p '#{pane_title}')" != owned ] &&
		! outer capture-pane -pe | grep -q "$red"
}
red=$(printf '\033\[41m')
check "control sequences of the far side are not shown" hostile
rm "$e2e_dir/hostile"
printf 'RMUX MISSING none Linux \033[41m\n' >"$e2e_dir/said"
said() {
	breaks 'there is no rmux on 127.0.0.1' &&
		! outer capture-pane -pe | grep -q "$red"
}
check "nor a machine's name" said
rm "$e2e_dir/said"

wrong() {
	outer_start 132 24 "RMUX= '$e2e_rmux' attach --ssh=/bin/false $*; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	fails "$says"
}
says='does not go with --server'
check "--deploy with --server" wrong --deploy --server=/usr/bin/rmux host
says='^usage: rmux'
check "--deploy has no value" wrong --deploy=yes host
far_stop
done_testing
