#!/bin/sh
# The machine gets another address: the client notices the change itself, not
# the silence after it.  Needs root, for network namespaces.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/nets_lib.sh"

at_there ip link add va type veth peer name vb 2>/dev/null &&
	at_there ip link set vb netns "$here" || skip_all "no veth"
# Each address with its own prefix, so that removing one leaves the others.
at_there ip link set lo up && at_there ip link set va up &&
	at_there ip addr add 10.77.7.1/32 dev va &&
	at_there ip route add 10.77.7.0/24 dev va &&
	at_here ip link set lo up && at_here ip link set vb up &&
	at_here ip addr add 10.77.7.2/32 dev vb &&
	at_here ip route add 10.77.7.0/24 dev vb ||
	skip_all "the cable does not work"

ssh_goes_there
cat >"$e2e_dir/rmux.there" <<END
#!/bin/sh
exec nsenter -t $there -n "$e2e_rmux" "\$@"
END
chmod +x "$e2e_dir/rmux.there"

address() {
	far list-clients -F '#{client_address}' | sed 's/:[0-9]*$//'
}

far_there() {
	RMUX_TMPDIR="$far_dir" "$e2e_dir/rmux.there" -f /dev/null \
		new-session -d -s far -x 80 -y 24 sh || return 1
	far_pid=$(far display-message -p '#{pid}')
	e2e_pids="$e2e_pids $far_pid"
}

over() {
	outer_start 80 24 "RMUX= nsenter -t $here -n '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' 10.77.7.1; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[far\]' 15 &&
		wait_for '[ "$(address)" = 10.77.7.2 ]' 15
}

# Changes addresses on an idle link; counts the moves that the server learns of
# long before a heartbeat.
moves() {
	was=2
	soon=0
	for next in 3 4 5 6 7; do
		at_here ip addr add "10.77.7.$next/32" dev vb &&
			at_here ip addr del "10.77.7.$was/32" dev vb || return 1
		wait_for '[ "$(address)" = 10.77.7.$next ]' 1 &&
			soon=$((soon + 1))
		wait_for '[ "$(address)" = 10.77.7.$next ]' 30 || return 1
		was=$next
	done
	echo "$soon of 5 at once"
	[ $soon -ge 3 ]
}

# Takes the link down and up again.
replugged() {
	at_here ip link set vb down
	outer_keys 'echo plugged$((1+1))' Enter
	at_here ip link set vb up
	at_here ip addr replace 10.77.7.9/32 dev vb
	at_here ip route replace 10.77.7.0/24 dev vb
	expect_screen plugged2 30
}

# A guest that the server dropped while the link was down.
joins_again() {
	ticket=$(far invite -a 10.77.7.1 --view -t far) || return 1
	outer_start 90 24 "RMUX= nsenter -t $here -n '$e2e_rmux' join --name Fay ${ticket#rmux join }; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[far\]' 15 &&
		wait_for 'far list-clients | grep -q Fay' || return 1
	at_here ip link set vb down
	far set-option -s silence-timeout 2
	wait_for '! far list-clients | grep -q Fay' 30 || return 1
	far set-option -su silence-timeout
	expect_screen 'to join again' 30 || return 1
	at_here ip link set vb up &&
		at_here ip route replace 10.77.7.0/24 dev vb || return 1
	outer_keys C-^ r
	wait_for 'far list-clients | grep -q Fay' && outer_keys C-^ . &&
		expect_screen '^sane'
}

# A guest with a single-use invitation would be refused: it keeps its
# connection.
keeps_waiting() {
	ticket=$(far invite -a 10.77.7.1 --type --once -t far) || return 1
	outer_start 90 24 "RMUX= nsenter -t $here -n '$e2e_rmux' join --name Gil ${ticket#rmux join }; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[far\]' 15 &&
		wait_for 'far list-clients | grep -q Gil' || return 1
	at_here ip link set vb down
	outer_keys x
	expect_screen 'to join again' 60 || return 1
	outer_keys C-^ r
	expect_screen 'invitation was for one use' || return 1
	at_here ip link set vb up &&
		at_here ip route replace 10.77.7.0/24 dev vb || return 1
	outer_keys BSpace 'echo same$((4+4))' Enter
	expect_screen same8 30 && far list-clients | grep -q Gil &&
		outer_keys C-^ . && expect_screen '^sane'
}

check "a server in a network of its own" far_there
check "attach from another" over
check "another address is noticed at once" moves
check "keys and their echo" echoes after
check "a cable pulled and put in again" replugged
check "leave" leaves
# The server has another address, which ssh finds: back to UDP, not ssh for good.
server_moves() {
	outer_start 80 24 "RMUX= nsenter -t $here -n '$e2e_rmux' attach --again=1 --ssh='$e2e_dir/ssh' --server='$e2e_rmux' 10.77.7.1; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[far\]' 15 &&
		wait_for '[ "$(far list-clients -F "#{client_link}")" = udp ]' 15 ||
		return 1
	at_there ip addr add 10.77.7.30/32 dev va &&
		at_there ip addr del 10.77.7.1/32 dev va || return 1
	outer_keys 'echo moved$((1+1))' Enter
	expect_screen moved2 30 &&
		wait_for '[ "$(far list-clients -F "#{client_link}")" = udp ]' 30 &&
		echoes there || return 1
	outer_keys C-^ '?'
	expect_screen 'via 10.77.7.30:' && outer_keys x C-u && leaves &&
		at_there ip addr add 10.77.7.1/32 dev va
}

check "the server's address changes: back to UDP" server_moves
# The address given to ssh is dead: the client reaches the server by UDP at another one.
by_another() {
	way=$1
	outer_start 80 24 "RMUX= nsenter -t $here -n '$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' 10.77.7.99; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
	expect_screen '\[far\]' 15 &&
		wait_for 'far list-clients -F "#{client_link} #{client_address}" | grep -q "^udp $way"' 15 &&
		echoes "$2" && leaves
}

# The same where IPv4 leads nowhere.
by_ipv6() {
	at_there ip addr add fd77::1/64 dev va nodad && at_here ip addr add fd77::2/64 dev vb nodad &&
		at_here ip route del 10.77.7.0/24 dev vb || return 1
	by_another '.*fd77::2' six || return 1
	at_here ip route add 10.77.7.0/24 dev vb && at_here ip addr del fd77::2/64 dev vb
}

check "one address of the server is dead: UDP by another" by_another 10.77.7 four
if [ -e /proc/net/if_inet6 ]; then
	check "and by IPv6 where IPv4 leads nowhere" by_ipv6
else
	skip "by IPv6" "no IPv6"
fi
check "a guest given up while the cable was out joins again" joins_again
check "one that was invited for once keeps waiting" keeps_waiting
far_stop

done_testing
