#!/bin/sh
# record.sh [NAME...]: records the tapes of this folder again from the programs
# of this machine; all of them, or the named ones. From the parent of the build folder:
#	top_builddir=build sh regress/predict/tapes/record.sh
# Each program has an empty home, so that it reads no file of the user.
set -eu
build=$(cd "${top_builddir:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
only=" $* "

# tape NAME SIZE READY COMMAND...: keys on standard input.
tape() {
	name=$1 size=$2 ready=$3
	shift 3
	cat >"$dir/keys"
	case $only in
	"  " | *" $name "*) ;;
	*) return 0 ;;
	esac
	command -v "$1" >/dev/null || { echo "$name: no $1" >&2; return 0; }
	rm -rf "${dir:?}/home"
	mkdir -p "$dir/home/src" "$dir/home/doc"
	printf 'one\ntwo\nthree\n' >"$dir/home/notes.txt"
	seq 400 | sed 's/$/ a line of some length, to be read/' >"$dir/home/long.txt"
	printf 'stty -echo; printf "Password: "; read x; stty echo; echo\n' \
		>"$dir/home/ask.sh"
	printf 'int\nmain(void)\n{\n\treturn 0;\n}\n' >"$dir/home/src/main.c"
	cat >"$dir/home/rc.zsh" <<EOF
PROMPT='%% '
RPROMPT='[%1~]'
EOF
	(
		cd "$dir/home"
		env -i HOME="$dir/home" PATH=/usr/local/bin:/usr/bin:/bin \
			TERM=xterm-256color LC_ALL=C.UTF-8 PS1='$ ' SHELL=/bin/sh \
			"$build/regress/predict/tape_record" -r "$ready" \
			"$here/$name.tape" "$size" "$dir/keys" "$@"
	)
	sed -i "s|$dir|/tmp/d|g" "$here/$name.tape"
	echo "$name: $(grep -c '^key\|^secret' "$here/$name.tape") keys," \
		"$(wc -c <"$here/$name.tape") bytes" >&2
}

tape bash 80x24 '$' bash --norc --noprofile <<'EOF'
ls -l<Enter>
cd src<Enter>
ls<Enter>
cat mian<BSpace><BSpace><BSpace>ain.c<Enter>
echo hello, worlt<BSpace>d<Enter>
cd ..<Enter>
grep -n two notes.txt<Enter>
echo one two three<C-w><C-w>four<Enter>
git status<C-u>true<Enter>
for i in 1 2 3; do echo $i; done<Enter>
echo abc<Left><Left>XY<End>z<Home><Right><Right><Right><Right>-n<Enter>
cat no<Tab><Enter>
<Up><Up><Enter>
true; sleep 0.2; echo slept<Enter>
true; sleep 1; echo slept<Enter>
echo "it's $((6 * 7))" | tr a-z A-Z<Enter>
ls doc src notes.txt<Enter>
wc -l long.txt<Enter>
true<Enter>
true<Enter>
echo a very long line that goes on and on until it is longer than the screen is wide, and then some more<Enter>
<C-r>hello<Enter>
echo done<M-b>well <End>!<Enter>
seq 30<Enter>
date +%Y >year<Enter>
cat notes.txt | sort | uniq -c<Enter>
exit
EOF

tape zsh-rprompt 80x24 '%' sh -c 'printf "PROMPT=%s\nRPROMPT=%s\n" "\"%% \"" "\"[%%1~ %%!]\"" >.zshrc; exec zsh -i' <<'EOF'
ls -l<Enter>
cd src<Enter>
cat main.c<Enter>
cd ..<Enter>
echo hello, world<BSpace><BSpace>ld<Enter>
echo one two three<C-w>four<Enter>
grep -n t notes.txt<Enter>
echo abc<Left><Left>XY<C-e>z<C-a><Right><Right><Right><Right>-n <C-e><Enter>
for i in a b c; do echo $i; done<Enter>
cat no<Tab><Enter>
<Up><Up><Enter>
true; sleep 0.2; echo slept<Enter>
true; sleep 1; echo slept<Enter>
echo a line that is long enough to come near to the prompt on the right side<Enter>
echo quoted 'single' "double"<Enter>
true<Enter>
wc -l long.txt<Enter>
echo done<C-u>ls<Enter>
seq 20<Enter>
EOF

tape fish 80x24 '~' fish --private <<'EOF'
ls<Enter>
cd src<Enter>
cat main.c<Enter>
cd ..<Enter>
echo hello, worlt<BSpace>d<Enter>
grep -n two notes.txt<Enter>
echo hello again<Enter>
echo hello<Right><Enter>
ls -l<Enter>
wc -l long.txt<Enter>
echo one two three<C-w>four<Enter>
for i in 1 2 3; echo $i; end<Enter>
grep -n three notes.txt<Enter>
cat no<Tab><Enter>
true<Enter>
echo abc<Left><Left>XY<End>z<Enter>
echo done<Enter>
cd doc; pwd<Enter>
cd ..<Enter>
ls src doc<Enter>
echo "a longer line" with several words in it<Enter>
cat notes.txt | sort -r<Enter>
mkdir new; cd new<Enter>
touch file.one file.two<Enter>
ls -l<Enter>
cd ..<Enter>
head -3 long.txt<Enter>
string upper hello<Enter>
wc -l notes.txt<Enter>
EOF

tape canonical 80x24 '' cat <<'EOF'
some text<Enter>
a misteak<BSpace><BSpace><BSpace>ake<Enter>
word other<C-w>again<Enter>
all of this<C-u>gone<Enter>
hello there, how are you<Enter>
and one more line of plain words<Enter>
a line that is longer than the terminal is wide, so that the kernel goes on in the next row<Enter>
last<Enter>
EOF

tape dash 80x24 '$' dash -i <<'EOF'
seq 30<Enter>
ls<Enter>
cd src<Enter>
cat main.c<Enter>
cd ..<Enter>
echo hello world<Enter>
sh ask.sh<Enter>
<secret>☃☃☃<Enter></secret>
echo after<Enter>
wc -l long.txt<Enter>
echo one mistkae<BSpace><BSpace><BSpace>ake<Enter>
true<Enter>
seq 5<Enter>
EOF

tape password 80x24 '$' bash --norc --noprofile <<'EOF'
seq 30<Enter>
echo before<Enter>
ls -l<Enter>
echo again<Enter>
sh ask.sh<Enter>
<secret>☃☃☃☃☃<Enter></secret>
echo between two of them<Enter>
cat notes.txt<Enter>
grep -n line long.txt | tail -3<Enter>
read -s -p 'Passphrase: ' x; echo<Enter>
<secret>☃☃☃☃<Enter></secret>
echo "some more words" and others<Enter>
ls src<Enter>
python3 -c 'import getpass; getpass.getpass()'<Enter>
<secret>☃☃☃☃☃☃<Enter></secret>
echo after it<Enter>
wc -l long.txt notes.txt<Enter>
true<Enter>
sh ask.sh<Enter>
<secret>☃<BSpace>☃☃<Enter></secret>
sh ask.sh<Enter>
<secret>☃☃☃<Enter></secret>
echo the end of it<Enter>
cat src/main.c<Enter>
EOF

tape python 80x24 '>>>' python3 -q -i <<'EOF'
1 + 1<Enter>
x = [n * n for n in range(10)]<Enter>
x<Enter>
def f(a, b):<Enter>
    return a + b<Enter>
<Enter>
f(1, 2)<Enter>
print("hello, worlt<BSpace>d")<Enter>
import os<Enter>
os.path.join("a", "b")<Enter>
for i in range(3):<Enter>
    print(i)<Enter>
<Enter>
f(x[0], x[1])<Left><Left>2<End><Enter>
len(x) == 10<Enter>
"abc".upper()<Enter>
nothere<Enter>
y = f(3, 4)<Enter>
y<Enter>
EOF

tape vim-insert 80x24 '~' vim -u NONE -N --cmd 'set esckeys ttimeoutlen=20 showmode ruler' <<'EOF'
iThe quick brown fox jumps over the lazy dog.<Enter>
It was a dark and stormy nihgt<BSpace><BSpace><BSpace>ght; the rain fell in torrents.<Enter>
<Enter>
A third line, and words, words, words.<Enter>
    indented text<Enter>
back<Escape>
oAnother line below<Escape>
kkA at the end<Escape>
ggOFirst of all<Escape>
Goint main(void) { return 0; }<Escape>
EOF

tape vim-normal 80x24 'one' vim -u NONE -N --cmd 'set ttimeoutlen=20 showmode ruler' notes.txt long.txt <<'EOF'
jjkkllhhjlwwbe0$
ddujjyyp
:set number<Enter>
:n<Enter>
jjjjjjjjjj
<C-d><C-d><C-u>
/40 a<Enter>
nn
dwdwi<C-o>x<Escape>
xxxu
G gg5j
:q!<Enter>
EOF

tape emacs 80x24 'scratch' emacs -nw -Q --eval '(setq inhibit-startup-screen t visible-cursor nil)' <<'EOF'
<C-x>bnotes<Enter>
The quick brown fox jumps over the lazy dog.<Enter>
It was a dark and stormy nihgt<BSpace><BSpace><BSpace>ght; the rain fell.<Enter>
<C-p><C-p><C-e> More.<C-a><C-k><C-y>
<C-n><C-n>words, words, words<Enter>
one two three<M-b><M-b>and <C-e>.<Enter>
<C-p><C-a><C-f><C-f><C-d><C-d><C-e>done<Enter>
more text at the end of it
EOF

tape nano 80x24 'nano' nano -I fresh.txt <<'EOF'
The quick brown fox jumps over the lazy dog.<Enter>
It was a dark and stormy nihgt<BSpace><BSpace><BSpace>ght; the rain fell.<Enter>
<Enter>
A third line, and words, words, words.<Enter>
<Up><Up><Up><End> More.<Home>X<DC>
<Down><Down><Down><C-k><C-u>
one two three<Left><Left><Left><Left><Left>and <End>.<Enter>
last line
EOF

tape less 80x24 'long.txt' less long.txt <<'EOF'
jjjjj  bb kkk
/77 a<Enter>
nnN g G 
jjjjjkkkkkjjjj    
/nothing<Enter><Enter>
50g  d u f b j k
?2 a<Enter>
nnnn   bbb
&line of<Enter>
jjj
&<Enter>
<PPage><NPage><Down><Down><Down><Up><Up>
/40 a l<Enter>
jjjj dd uu
h q
   jjjj
q
EOF

# Line editors beside typing: completion, searching, words, kill rings.
tape bash-edit 80x24 '$' bash --norc --noprofile <<'EOF'
cat no<Tab><Enter>
grep -c t no<Tab>long.t<Tab><Enter>
ls s<Tab>ma<Tab><Enter>
echo the first of three lines<Enter>
echo the second of them<Enter>
echo and the last one<Enter>
<C-r>second<Enter>
<C-r>first<C-r><End> again<Enter>
<C-r>nothing like it<C-g>true<Enter>
<Up><Up><Up><Down><Enter>
echo alpha beta gamma<M-b><M-b>new <C-e> delta<Enter>
echo one two<C-w><C-y><C-y><Enter>
echo cut me here<Left><Left><Left><Left><C-k><C-a><C-e>more<Enter>
ls doc/<Tab><Tab><Enter>
cd s<Tab><Enter>
pwd; ls<Enter>
cd ../d<Tab><Enter>
cd ..<Enter>
echo swpa<C-t><Enter>
echo done <M-.><Enter>
EOF

# Wide and accented text, as an input method commits it.
tape wide 80x24 '$' bash --norc --noprofile <<'EOF'
echo 日本語の文章<Enter>
echo もう一つ<BSpace><BSpace>一度<Enter>
echo größer als früher, naïve café<Enter>
echo 漢字 and latin 混ぜる<Left><Left><Left>X<End>!<Enter>
cat >out<Enter>
今日は天気がいいですね。散歩に行きましょう。公園まで歩いて十分ぐらいかかります。そして帰りに買い物<Enter>
<C-d>
echo 한국어 문장<Enter>
true<Enter>
EOF

tape vim-code 80x24 '~' vim -u NONE -N --cmd 'set ttimeoutlen=20 showmode ruler showcmd autoindent smartindent sw=4 sts=4 et' code.c <<'EOF'
iint<Enter>
count(const char *s)<Enter>
{<Enter>
int n = 0;<Enter>
<Enter>
while (*s != 0) {<Enter>
n++;<Enter>
s++;<Enter>
}<Enter>
return n;<Enter>
}<Escape>
kkkk^cwif<Escape>
jj0wx$A // done<Escape>
ggjwcwlength<Escape>
Go<Enter>
int<Enter>
main(void)<Enter>
{<Enter>
return length("abc");<Escape>
kkoxxx<Escape>dd
:w<Enter>
EOF

tape vim-notes 80x24 '400' vim -u NONE -N --cmd 'set ttimeoutlen=20 showmode ruler laststatus=2' long.txt <<'EOF'
ione more line of text<Enter>
and a second<Escape>
jjwwcwpart<Escape>
kk0ilead <Escape>
oopened below with words<Enter>
and Enter in it<Escape>
hhhhlllbbwwe$0
A, at the end<Escape>
jdwdwx
0DiReplaced<Escape>
jjokay<Escape>
u:w<Enter>
/40 a<Enter>
ofound<Escape>
gg0ifirst <Escape>
EOF

tape vim-split 80x24 'notes' vim -u NONE -N -n -O --cmd 'set ttimeoutlen=20 ruler' long.txt notes.txt <<'EOF'
jjithe first words of this line go where the others were, and those into the next rows of it, as far as<Escape>
jjwiof the same <Escape>
kkAat the end of it, as well as before<Escape>
EOF

tape nano-wrap 80x24 'nano' nano -I -b -r 60 fresh.txt <<'EOF'
Words go on in the next line by themselves where the line that is typed gets longer than it may.<Enter>
A short one.<Enter>
And again a long one that does not fit into sixty columns, with <BSpace><BSpace><BSpace><BSpace><BSpace>and a mistake.<Enter>
<Up><Up><End> more at the end of it, until it wraps once more here
EOF
