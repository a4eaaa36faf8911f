#!/bin/sh
# fresh-machine.sh [STEP...] - a newcomer's machine: a minimal Debian in a
# folder, an ordinary user with sudo, a clone of HEAD, and what README says.
#
# Steps, in order (default: the first four):
#   build     ./quickstart build
#   minute    what README and tutorial tell, in a terminal (scripts/check-docs.sh)
#   home      ./configure --prefix=$HOME/.local && make && make install
#   attach    README again, with a real sshd as its other machine; and a guest
#             of another account in a shared session
#   check     ./quickstart check (FRESH_CHECK: its steps, e.g. "gcc lint")
#   bench     ./quickstart bench (FRESH_BENCH: its sections, e.g. "live many")
#   package   dpkg-buildpackage, with the tests, and the package installed
#
# Needs root and debootstrap; says so and exits with 77 otherwise.  FRESH_DIR:
# the folder, kept (and used again) when given.  FRESH_SUITE, FRESH_MIRROR.
# Everything happens in namespaces of mounts and processes of its own: what
# was mounted or started ends with this script.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
skip() { echo "skip: $*"; exit 77; }
say() { printf '== %s  %s\n' "$(date +%H:%M:%S)" "$*"; }

if [ "${FRESH_INSIDE-}" = "" ]; then
	[ "$(id -u)" = 0 ] || skip "root is needed"
	command -v debootstrap >/dev/null || skip "debootstrap is needed"
	[ $# -gt 0 ] || set -- build minute home attach
	keep=${FRESH_DIR-}
	dir=${keep:-$(mktemp -d /tmp/rmux-fresh.XXXXXX)}
	mkdir -p "$dir"
	chmod 755 "$dir" # the root of a user that is not root
	rc=0
	FRESH_INSIDE=$dir unshare --mount --pid --fork --kill-child \
	    --mount-proc "$0" "$@" || rc=$?
	[ -n "$keep" ] || rm -rf --one-file-system "$dir"
	exit $rc
fi

dir=$FRESH_INSIDE
suite=${FRESH_SUITE:-bookworm}
# Where this machine's own packages come from, if nothing else is said.
mirror=${FRESH_MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" 2>/dev/null |
    grep -v security | head -n 1)}
if [ ! -x "$dir/usr/bin/apt-get" ]; then
	say "debootstrap $suite"
	log=$(mktemp)
	debootstrap --variant=minbase "$suite" "$dir" "$mirror" >"$log" 2>&1 ||
	    { tail -n 20 "$log"; exit 1; }
	rm -f "$log"
fi
mount -t proc proc "$dir/proc"
mount -t tmpfs -o mode=1777 shm "$dir/dev/shm" 2>/dev/null ||
    { mkdir -p "$dir/dev/shm"; mount -t tmpfs -o mode=1777 shm "$dir/dev/shm"; }
mkdir -p "$dir/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$dir/dev/pts"
ln -sf pts/ptmx "$dir/dev/ptmx"
cp -L /etc/resolv.conf "$dir/etc/resolv.conf"
# How this machine reaches the package registry holds inside, too.
cp /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/*registry* \
    "$dir/etc/apt/apt.conf.d/" 2>/dev/null || :

# inside USER COMMAND...: with a newcomer's environment and nothing of ours.
inside() {
	user=$1
	shift
	home=/root
	[ "$user" = root ] || home=/home/$user
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	    HOME="$home" USER="$user" LOGNAME="$user" SHELL=/bin/bash \
	    TERM=xterm-256color ${FRESH_CHECK+FRESH_CHECK="$FRESH_CHECK"} \
	    ${FRESH_BENCH+FRESH_BENCH="$FRESH_BENCH"} \
	    chroot --userspec="$user" "$dir" /bin/sh -c "cd ~ && $*"
}
timed() {
	say "$1"
	began=$(date +%s)
	chmod 755 "$dir" # the root of a user that is not root
	rc=0
	inside newcomer "$2" >"$dir/home/newcomer/$1.log" 2>&1 || rc=$?
	tail -n "${3:-4}" "$dir/home/newcomer/$1.log"
	say "$1: exit $rc after $(($(date +%s) - began)) s"
	[ $rc = 0 ]
}

say "git, sudo, an ordinary user"
inside root "export DEBIAN_FRONTEND=noninteractive; apt-get update -qq &&
    apt-get install -y -qq --no-install-recommends git ca-certificates sudo" \
    >"$dir/root/setup.log" 2>&1 || { tail -n 20 "$dir/root/setup.log"; exit 1; }
inside root "id newcomer >/dev/null 2>&1 || useradd -m -s /bin/bash newcomer"
echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >"$dir/etc/sudoers.d/newcomer"
rm -rf "$dir/srv/rmux.git" "$dir/home/newcomer/rmux"
git clone -q --bare "$top" "$dir/srv/rmux.git"
git -C "$dir/srv/rmux.git" update-ref refs/heads/fresh "$(git -C "$top" rev-parse HEAD)"
chown -R 0:0 "$dir/srv/rmux.git"
inside newcomer "git config --global --add safe.directory /srv/rmux.git &&
    git clone -q -b fresh /srv/rmux.git rmux"

for step; do
	case $step in
	build) timed build 'cd rmux && ./quickstart build' 2 ;;
	minute) timed minute 'cd rmux && scripts/check-docs.sh build README.md doc/TUTORIAL.md' 40 ;;
	home)
		timed home 'cd rmux && mkdir -p build-home && cd build-home &&
		    ../configure -q --prefix=$HOME/.local && make -s -j2 &&
		    make -s install && find ~/.local -type f && ~/.local/bin/rmux -V' 12
		;;
	attach)
		# README's hosts are this machine, by a real sshd on two ports.
		timed sshd 'cd rmux && sudo make -s -C build install &&
		    sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		    --no-install-recommends openssh-server openssh-client >/dev/null 2>&1 &&
		    mkdir -p -m 700 ~/.ssh && rm -f ~/.ssh/id_ed25519 &&
		    ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519 &&
		    cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys &&
		    printf "Host host\n HostName 127.0.0.1\n Port %s\n StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n LogLevel ERROR\n" \
		    "${FRESH_PORT:-2222}" >~/.ssh/config && chmod 600 ~/.ssh/config &&
		    sudo mkdir -p /run/sshd &&
		    sudo /usr/sbin/sshd -p "${FRESH_PORT:-2222}" -o ListenAddress=127.0.0.1 -o PidFile=none' 3
		timed attach 'cd rmux && CHECK_DOCS_SSH=real scripts/check-docs.sh build README.md' 40
		# With others: a user without an account in the session looks on.
		# shellcheck disable=SC2016
		timed guest 'id guest >/dev/null 2>&1 || sudo useradd -m -s /bin/sh guest
		    rmux new-session -d -s shared -x 80 -y 24 "echo what the host shows; exec cat" &&
		    join=$(rmux invite -t shared --view --for 1h -a 127.0.0.1) &&
		    sleep 6 | sudo -u guest env TERM=xterm LC_ALL=C.UTF-8 SHELL=/bin/sh HOME=/home/guest \
		    timeout 10 script -qec "cd; $join" /home/guest/seen >/dev/null
		    rmux kill-server
		    sudo grep -c "what the host shows" /home/guest/seen'
		;;
	check)
		# shellcheck disable=SC2016
		timed check 'cd rmux && ./quickstart check ${FRESH_CHECK-}' 30 ||
		    check_failed=1
		# How long each of its steps took.
		grep -E '^== [a-z]+: [0-9]+ s$' "$dir/home/newcomer/check.log" || :
		[ -z "${check_failed-}" ] || exit 1
		;;
	bench)
		# shellcheck disable=SC2016
		timed bench 'cd rmux && ./quickstart bench ${FRESH_BENCH-}' 40
		;;
	package)
		say "packages for packaging"
		inside root "export DEBIAN_FRONTEND=noninteractive
		    apt-get install -y -qq --no-install-recommends dpkg-dev debhelper fakeroot lintian &&
		    cd /home/newcomer/rmux && apt-get build-dep -y -qq --no-install-recommends ./" \
		    >"$dir/root/package.log" 2>&1 || { tail "$dir/root/package.log"; exit 1; }
		timed package 'rm -rf pkg && git clone -q rmux pkg && cd pkg &&
		    dpkg-buildpackage -us -uc -b && lintian --fail-on error ../rmux_*.changes &&
		    sudo dpkg -i ../rmux_*_*.deb && cd / && rmux -V && dpkg -L rmux && sudo dpkg -r rmux' 30
		;;
	*) echo "no step $step" >&2; exit 2 ;;
	esac
done
say "all done"
