#!/bin/sh
# Completion in real shells of sessions, hosts and files with hostile names: TAB and
# Enter run nothing.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
M=rmux
shells=$e2e_src/regress/hostile/shells.py
log=$e2e_dir/log
mkdir "$e2e_dir/bin" 2>/dev/null
# Lists come from a real server.
cat >"$e2e_dir/bin/rmux" <<-END
	#!/bin/sh
	case "\$*" in
	list-*) exec "$e2e_rmux" -L e2e "\$@" ;;
	esac
	printf '%s\n' "\$*" >>"$log"
END
chmod +x "$e2e_dir/bin/rmux"
PATH=$e2e_dir/bin:$PATH
export PATH
start || skip_all "no server"
python3 "$shells" names >"$e2e_dir/names"
while IFS= read -r name; do
	m new-session -d -s "$name" cat || skip_all "no session $name"
done <"$e2e_dir/names"

completes() {
	"$e2e_rmux" completion "$1" >"$e2e_dir/$1.completion" || return 1
	rm -rf "$e2e_dir/work/$1" && mkdir "$e2e_dir/work/$1" &&
		cd "$e2e_dir/work/$1" || return 1
	: >"$log"
	timeout 300 python3 "$shells" "$1" "$e2e_dir/$1.completion" "$log"
}
for shell in bash zsh fish; do
	if command -v "$shell" >/dev/null; then
		check "$shell" completes "$shell"
		sed -n 's/^# [a-z]*: [0-9]* tries/&/p' "$e2e_dir/check.out"
	else
		skip "$shell" "no $shell"
	fi
done
stop
done_testing
