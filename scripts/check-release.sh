#!/bin/sh
# check-release.sh [-b] - makes a release twice and compares the bytes.
# check-release.sh -l BUILDDIR - only checks that make dist packs every tracked file.
#
# The second time folder, umask, locale, time zone, time and environment are others,
# and the user, if root runs this.  Checks signatures and bill of materials, too.
# -b builds the program twice as well.  Tracked files are checked as they are,
# committed or not.  Exit status 77: this is no clone with git.
set -u
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
if [ "${1-}" = -l ]; then
	[ -e "$top/.git" ] && cd "${2:-$top/build}" || exit 77
	# A folder stands for all that is in it.
	{
		printf 'include Makefile\nlist:;$(foreach f,$(DISTFILES),$(info $f))\n' |
			make -s -f - list | sed "s,^$top/,,; s,^\(\.\./\)*,," | sed 's/^/D /'
		git -C "$top" ls-files | sed 's/^/T /'
	} | awk '
	$1 == "D" { packed[$2] = 1; next }
	$2 ~ /(^|\/)\.gitignore$/ { next }
	{
		n++
		for (f = $2; f != "" && !(f in packed); )
			if (!sub(/\/[^\/]*$/, "", f)) f = ""
		if (f == "") { print "make dist leaves out: " $2; bad = 1 }
	}
	END { exit bad || n == 0 }'
	exit
fi
build=
[ "${1-}" != -b ] || build=-b
[ -e "$top/.git" ] && rev=$(git -C "$top" rev-parse -q --verify HEAD 2>/dev/null) || exit 77
changed=$(git -C "$top" -c user.name=check -c user.email=check@localhost \
	stash create 2>/dev/null)
rev=${changed:-$rev}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# A shared cache would compare the first program with itself.
unset CCACHE_DIR CCACHE_BASEDIR
bad=0
fail() {
	echo "check-release: $*"
	bad=1
}
failed() {
	cat "$work/log"
	echo "check-release: scripts/release.sh failed"
	exit 1
}

# --- twice ------------------------------------------------------------------------

mkdir "$work/1" "$work/another-folder"
ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/key" || exit 1
# A placeholder for the maintainers' address is signed in trials only.
if git -C "$top" grep -qF maintainers@rmux.example "$rev" -- debian dist; then
	if TMPDIR=$work/1 "$top/scripts/release.sh" -k "$work/key" -r "$rev" \
		-o "$work/1/out" >"$work/log" 2>&1 ||
		! grep -q 'is a placeholder in: debian/changelog' "$work/log"; then
		cat "$work/log"
		fail "a placeholder for the address is signed"
	fi
fi
TMPDIR=$work/1 "$top/scripts/release.sh" -t $build -k "$work/key" -r "$rev" \
	-o "$work/1/out" >"$work/log" 2>&1 || failed

# Another user needs a repository of its own: one commit, with the script.
clone=$work/another-folder/clone
git init -q "$clone" && mkdir "$clone/scripts" &&
	cp "$top/scripts/release.sh" "$clone/scripts/" &&
	git -C "$top" rev-list --objects --no-walk "$rev" | cut -d ' ' -f 1 |
	git -C "$top" pack-objects -q "$clone/.git/objects/pack/pack" >/dev/null &&
	echo "$rev" >"$clone/.git/shallow" || exit 1
other=
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	other='setpriv --reuid=65534 --regid=65534 --clear-groups'
	chmod 711 "$work"
	chown -R 65534:65534 "$work/another-folder"
fi
(
	cd / && umask 077
	# shellcheck disable=SC2086 # words
	exec $other env HOME=/nonexistent USER=somebody LOGNAME=somebody \
		LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 TZ=Pacific/Chatham \
		CFLAGS=-O0 CPPFLAGS=-DNDEBUG TAR_OPTIONS=--mtime=now XZ_OPT=-0 \
		SOURCE_DATE_EPOCH=1 TMPDIR="$work/another-folder" \
		"$clone/scripts/release.sh" $build -r "$rev" \
		-o "$work/another-folder/out"
) >"$work/log" 2>&1 || failed

cd "$work/1/out" || exit 1
for f in *; do
	case $f in
	*.sig) ;;
	*) cmp "$f" "$work/another-folder/out/$f" || fail "$f is not the same" ;;
	esac
done
[ -n "$build" ] && [ ! -x "$(echo rmux-*-"$(uname -m)")" ] && fail "no program"

# Every tracked file is in the archive.
git -C "$top" ls-tree -r --name-only "$rev" | grep -v '\.gitignore$' | sort >"$work/tracked"
tar -tf rmux-*.tar.xz | sed 's,^[^/]*/,,' | sort >"$work/packed"
comm -23 "$work/tracked" "$work/packed" >"$work/lacks"
[ ! -s "$work/lacks" ] || fail "make dist leaves out: $(tr '\n' ' ' <"$work/lacks")"

# --- what users do ----------------------------------------------------------------

printf 'rmux namespaces="rmux-release" %s\n' "$(cat "$work/key.pub")" >"$work/signers"
# verify FILE: as doc/SECURITY.md says.
verify() {
	ssh-keygen -Y verify -f "$work/signers" -I rmux -n rmux-release \
		-s "$1.sig" <"$1" >/dev/null 2>&1
}
verify SHA256SUMS && sha256sum --quiet -c SHA256SUMS || fail "checksums"
verify rmux-*.tar.xz || fail "the signature of the archive is wrong"
python3 - *.spdx.json <<'END' || fail "bill of materials"
import hashlib, json, sys
d = json.load(open(sys.argv[1]))
ids = [x["SPDXID"] for x in d["packages"] + d.get("files", [])] + [d["SPDXID"]]
assert len(ids) == len(set(ids)), ids
for r in d["relationships"]:
    assert r["spdxElementId"] in ids and r["relatedSpdxElement"] in ids, r
names = {p["name"]: p for p in d["packages"]}
for n in ("rmux", "libevent", "libsodium", "libtickit", "msgpack-c", "utf8proc", "zstd"):
    assert names[n]["versionInfo"][0].isdigit() and names[n]["licenseDeclared"], n
for f in [names["rmux"]] + d.get("files", []):
    text = open(f.get("fileName", f.get("packageFileName")), "rb").read()
    for c in f["checksums"]:
        assert hashlib.new(c["algorithm"], text).hexdigest() == c["checksumValue"], f
END
echo >>SHA256SUMS
verify SHA256SUMS && fail "a changed file has a good signature"
exit $bad
