#!/bin/sh
# shellcheck disable=SC2034
# Two network interfaces lead to the server: either may fail at any moment, and
# nothing tells so.  Needs root, for network namespaces.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/nets_lib.sh"

# cable NAME NET METRIC: one more way to the server, by NAME here.
cable() {
	at_there ip link add "t$1" type veth peer name "$1" 2>/dev/null &&
		at_there ip link set "$1" netns "$here" &&
		at_there ip addr add "10.77.$2.1/24" dev "t$1" &&
		at_there ip link set "t$1" up &&
		at_here ip addr add "10.77.$2.2/24" dev "$1" &&
		at_here ip link set "$1" up &&
		at_here ip route add default via "10.77.$2.1" dev "$1" metric "$3"
}
at_there ip link set lo up && at_here ip link set lo up &&
	at_there ip addr add 10.77.9.1/32 dev lo &&
	cable one 1 10 && cable two 2 20 || skip_all "no veth"
# What comes by the second cable is not to be dropped because the first is better.
at_here sh -c 'for f in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 0 >$f; done'

# cut NAME NET, mend NAME NET: datagrams of both directions go to a machine that
# does not exist, and no interface goes down.
cut() {
	at_there ip neigh replace "10.77.$2.2" lladdr 02:00:00:00:00:77 \
		dev "t$1" nud permanent &&
		at_here ip neigh replace "10.77.$2.1" lladdr 02:00:00:00:00:77 \
			dev "$1" nud permanent
}
mend() {
	at_there ip neigh del "10.77.$2.2" dev "t$1" &&
		at_here ip neigh del "10.77.$2.1" dev "$1"
}

ssh_goes_there

far_there() {
	RMUX_TMPDIR="$far_dir" nsenter -t "$there" -n "$e2e_rmux" -f /dev/null \
		new-session -d -s far -x 120 -y 24 sh || return 1
	far_pid=$(far display-message -p '#{pid}')
	e2e_pids="$e2e_pids $far_pid"
	# Not the addresses of the cables, which are ways of their own.
	far set-option -s remote-bind 10.77.9.1
}

# over OPTIONS
over() {
	outer_start 120 24 "RMUX= nsenter -t $here -n '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' $* 10.77.9.1; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[far\]' 15
}

# report REGEX: what the link report says.
report() {
	outer_keys C-^ '?'
	expect_screen 'RTT' && expect_screen "$1" 10 &&
		outer_keys x && wait_for '! outer_screen | grep -q RTT' 5 &&
		outer_keys C-u
}
report_lacks() {
	lacks=$1
	outer_keys C-^ '?'
	expect_screen 'RTT' && wait_for '! outer_screen | grep -q "$lacks"' 10 &&
		outer_keys x && wait_for '! outer_screen | grep -q RTT' 5 &&
		outer_keys C-u
}

both_fail() {
	for round in 1 2 3 4 5; do
		cut one 1 && echoes "first$round" 5 && mend one 1 &&
			echoes "whole$round" 5 &&
			cut two 2 && echoes "second$round" 5 && mend two 2 ||
			return 1
	done
	! outer_screen | grep -q 'last contact'
}

# The first way is cut for good: the session goes on by the second.
stays() {
	cut one 1 && echoes cut 5 || return 1
	for word in a b c d e f g h; do
		echoes "$word" 5 || return 1
	done
	mend one 1 && echoes back 5
}

unplugged() {
	at_here ip link set two down && echoes down 5 &&
		report_lacks 'second path' || return 1
	at_here ip link set two up &&
		at_here ip route add default via 10.77.2.1 dev two metric 20 &&
		report 'second path (standby)' && echoes up 5
}

single() {
	over --paths=single --again=0 && report_lacks 'second path' && cut one 1 ||
		return 1
	outer_keys 'echo held$((2+2))' Enter
	expect_screen 'last contact' 15 && ! outer_screen | grep -q held4 &&
		mend one 1 && expect_screen held4 15 && leaves
}

chosen() {
	far set-option -g paths duplicate
	over && report 'second path (duplicate) RTT [0-9]* ms, [1-9][0-9]* copies' &&
		far set-option -g paths single && report_lacks 'second path' &&
		far set-option -g paths standby &&
		report 'second path (standby)' && leaves
}

named() {
	over --interface=nosuch && report_lacks 'second path' && leaves &&
		over --interface=nosuch,two && report 'second path' && leaves
}

# A modem, by its name: only if its user names it.
metered() {
	at_here ip link set two down && at_here ip link set two name wwan0 &&
		at_here ip link set wwan0 up &&
		at_here ip route add default via 10.77.2.1 dev wwan0 metric 20 ||
		return 1
	over && report_lacks 'second path' && leaves &&
		over --interface=wwan0 && report 'second path' && leaves &&
		at_here ip link set wwan0 down &&
		at_here ip link set wwan0 name two && at_here ip link set two up &&
		at_here ip route add default via 10.77.2.1 dev two metric 20
}

told() {
	"$e2e_rmux" attach --paths=many host >"$e2e_dir/out" 2>&1 && return 1
	grep -q 'single, standby, duplicate or aggregate: many' "$e2e_dir/out" || return 1
	"$e2e_rmux" attach --interface=,x host >"$e2e_dir/out" 2>&1 && return 1
	grep -q 'names of interfaces.*: ,x' "$e2e_dir/out"
}

# A copy goes on by whichever way there is.
copy() {
	head -c 30000000 /dev/urandom >"$e2e_dir/data"
	nsenter -t "$here" -n "$e2e_rmux" exec --ssh="$e2e_dir/ssh" \
		--server="$e2e_rmux" 10.77.9.1 cat \
		<"$e2e_dir/data" >"$e2e_dir/copy" 2>"$e2e_dir/copy.err" &
	copier=$!
	e2e_pids="$e2e_pids $copier"
	wait_for '[ -s "$e2e_dir/copy" ]' 10 || return 1
	for round in 1 2 3; do
		had=$(wc -c <"$e2e_dir/copy")
		cut one 1 && wait_for '! alive "$copier" || [ "$(wc -c <"$e2e_dir/copy")" -gt "$had" ]' 15 &&
			mend one 1 || return 1
		had=$(wc -c <"$e2e_dir/copy")
		cut two 2 && wait_for '! alive "$copier" || [ "$(wc -c <"$e2e_dir/copy")" -gt "$had" ]' 15 &&
			mend two 2 || return 1
	done
	wait "$copier" && cmp "$e2e_dir/data" "$e2e_dir/copy"
}

# slow RATE: both cables, both ways.
slow() {
	for name in one two; do
		at_here tc qdisc replace dev "$name" root tbf rate "$1" \
			burst 15kb latency 60ms &&
			at_there tc qdisc replace dev "t$name" root tbf \
				rate "$1" burst 15kb latency 60ms || return 1
	done 2>/dev/null
}
fast() {
	for name in one two; do
		at_here tc qdisc del dev "$name" root &&
			at_there tc qdisc del dev "t$name" root || return 1
	done
}

# came NAME: bytes that came by the cable.
came() {
	at_here sed -n "s/^ *$1: *\([0-9]*\).*/\1/p" /proc/net/dev
}

# Each of two slow cables carries a good part of a copy; so does the report say.
aggregate() {
	slow 20mbit || return 1
	head -c 8000000 /dev/urandom >"$e2e_dir/data"
	one=$(came one) two=$(came two)
	nsenter -t "$here" -n "$e2e_rmux" exec --paths=aggregate \
		--ssh="$e2e_dir/ssh" --server="$e2e_rmux" 10.77.9.1 \
		"sleep 1; cat $e2e_dir/data" >"$e2e_dir/copy" 2>"$e2e_dir/copy.err"
	one=$(($(came one) - one)) two=$(($(came two) - two))
	echo "$one bytes by one, $two by the other"
	cmp "$e2e_dir/data" "$e2e_dir/copy" && [ "$one" -gt 2400000 ] &&
		[ "$two" -gt 2400000 ] &&
		over --paths=aggregate &&
		report 'second path (aggregate)' &&
		report 'kB in and [0-9]* out' && leaves && fast
}

check "a server that two ways lead to" far_there
check "attach" over
check "the client finds the second way" report 'second path (standby)'
check "keys and their echo" echoes before
check "either way fails in turn, while one types" both_fail
check "the first way stays away" stays
check "an interface goes down, and comes back" unplugged
check "leave" leaves
check "--paths=single: the system's way alone" single
check "the server's option chooses, and may change" chosen
check "--interface names the second one" named
check "a modem needs its user's word" metered
check "a copy, either way failing in turn: byte exact" copy
if slow 20mbit && fast; then
	check "two slow ways carry a copy together" aggregate
else
	skip "two slow ways carry a copy together" "no tc with tbf"
fi
check "wrong words are told" told
far_stop

done_testing
