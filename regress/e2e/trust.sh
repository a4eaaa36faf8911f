#!/bin/sh
# A server of another user: refused, or trusted by name and then not obeyed.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ "$(id -u)" = 0 ] || skip_all "only root can run a server as another user"
evil=$e2e_build/regress/hostile/evil_server
other=65534
name=$(id -un $other 2>/dev/null || echo $other)
mkdir -m 755 "$e2e_dir/evil"
socket=$e2e_dir/evil/s

# begin ORDER...: starts the other user's server.
begin() {
	rm -f "$e2e_dir/evil.out"
	"$evil" "$socket" $other "$@" >"$e2e_dir/evil.out" 2>&1 </dev/null &
	evil_pid=$!
	e2e_pids="$e2e_pids $evil_pid"
	wait_for 'grep -q listening "$e2e_dir/evil.out"'
}

end() {
	kill $evil_pid
	wait_for "! alive $evil_pid"
}

# told PATTERN: what the server has printed.
told() {
	wait_for "grep -q -- '$1' '$e2e_dir/evil.out'" && return 0
	cat "$e2e_dir/evil.out"
	return 1
}

# says PATTERN COMMAND...: the error of a command that fails.
says() {
	pattern=$1
	shift
	"$@" >"$e2e_dir/said" 2>&1 </dev/null && {
		echo "it succeeds"
		return 1
	}
	grep -q -- "$pattern" "$e2e_dir/said" && return 0
	cat "$e2e_dir/said"
	return 1
}

refused() {
	begin exit
	says "belongs to $name: not used" "$e2e_rmux" -S "$socket" ls &&
		says "RMUX in the environment" env RMUX="$socket,1,0" \
			"$e2e_rmux" ls &&
		says "belongs to" "$e2e_rmux" --trust=daemon -S "$socket" ls
	code=$?
	grep -q env "$e2e_dir/evil.out" && code=1
	end
	return $code
}
check "another user's server is refused before it learns anything" refused

trusted() {
	begin exit
	SECRET_TOKEN=1 LC_TIME=C "$e2e_rmux" --trust="x,$name" -S "$socket" ls \
		</dev/null && told 'env LC_TIME' &&
		! grep -q SECRET_TOKEN "$e2e_dir/evil.out"
	code=$?
	end
	return $code
}
check "--trust names it; it learns only language and terminal" trusted

files() {
	echo secret >"$e2e_dir/mine"
	echo open >"$e2e_dir/asked"
	begin "open:0:$e2e_dir/mine" "open:1:$e2e_dir/mine" \
		"open:0:$e2e_dir/asked" exit
	"$e2e_rmux" --trust=$other -S "$socket" load-buffer "$e2e_dir/asked" \
		</dev/null
	told 'opened 0' && told 'data 5' &&
		[ "$(grep -c 'opened 13' "$e2e_dir/evil.out")" = 2 ] &&
		[ "$(cat "$e2e_dir/mine")" = secret ]
	code=$?
	end
	return $code
}
check "it reads and writes only files that the command names" files

commands() {
	begin "lock:touch $e2e_dir/pwned" "exec:touch $e2e_dir/pwned"
	"$e2e_rmux" --trust=$other -S "$socket" new-session </dev/null \
		>"$e2e_dir/said" 2>&1
	told signal && grep -q refused "$e2e_dir/said" &&
		[ ! -e "$e2e_dir/pwned" ]
	code=$?
	end
	return $code
}
check "it runs no command here" commands

hangup() {
	begin detach
	says 0 sh -c "trap 'echo hup' HUP; \"\$@\"; echo 0; exit 1" sh \
		"$e2e_rmux" --trust=$other -S "$socket" attach &&
		! grep -q hup "$e2e_dir/said"
	code=$?
	end
	return $code
}
check "it does not hang up the shell" hangup

open_directory() {
	chmod 777 "$e2e_dir/evil"
	begin exit
	says "chmod o-w" "$e2e_rmux" --trust=$other -S "$socket" ls
	code=$?
	chmod 755 "$e2e_dir/evil"
	end
	return $code
}
check "a socket that everybody may replace is refused" open_directory

done_testing
