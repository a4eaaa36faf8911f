#!/bin/sh
# command-prompt and confirm-before: kinds, waiting, history, completion.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/prompt_lib.sh"

kinds() {
	attach
	run command-prompt -b -T nothing
	ask -1 -p key 'set-option -g @a "<%%>"'
	outer_keys y
	got
	ask -k -p key 'set-option -g @a "<%%>"'
	outer_keys M-Up
	got
	ask -N -p number 'set-option -g @a "<%%>"'
	outer_keys 1 2 Enter
	got
	ask -p 'one,two,three' -I 'a,b' 'set-option -g @a "%1 %2 %3 %1"'
	outer_keys X Enter
	outer_keys Enter
	outer_keys z Enter
	got
	ask -I '#{session_name}' -p name 'set-option -g @a "<%%>"'
	outer_keys Enter
	got
	ask -F -p name 'set-option -g @a "#{session_name} %%"'
	outer_keys w Enter
	got
	ask 'set-option -g @a "<%%>"'
	expect_screen '^(set-option) *$'
	outer_keys 'x;y' Enter
	got
	echo "command-prompt -b -t $client { set-option -g @a '<%%>' }" >block
	m source-file block
	expect_screen '^(set-option) *$'
	outer_keys 'in a block' Enter
	got
	ask
	expect_screen '^: *$'
	outer_keys 'set-option -g @a "typed"' Enter
	got
	ask -p text 'no-such-command %%'
	outer_keys x Enter
	expect_screen 'nknown command: no-such-command'
	# Only one prompt at a time: the second command does nothing.
	ask -p first 'set-option -g @a first'
	ask -p second 'set-option -g @a second'
	outer_keys Enter
	got
	detach
}
compare "kinds of prompts" kinds

incremental() {
	attach
	ask -i -p find 'set-option -ag @b "[%%]"'
	outer_keys a
	wait_for 'm show-options -gqv @b | grep -q =a'
	outer_keys b
	wait_for 'm show-options -gqv @b | grep -q =ab'
	outer_keys C-r
	wait_for 'm show-options -gqv @b | grep -q -- -ab'
	outer_keys C-s
	wait_for 'm show-options -gqv @b | grep -q -- +ab'
	outer_keys Enter
	wait_for '! outer_screen | grep -q ^find'
	run show-options -gqv @b
	detach
}
compare "an incremental prompt" incremental

history() {
	attach
	keys first Enter
	keys second Enter
	ask -T search -p text 'set-option -g @a "<%%>"'
	outer_keys needle Enter
	got
	keys Up Enter
	keys Up Up Enter
	keys C-p C-p C-n Enter
	run show-prompt-history -T command
	run show-prompt-history -T search
	run clear-prompt-history -T search
	run show-prompt-history -T search
	run show-prompt-history -T nothing
	run clear-prompt-history
	run show-prompt-history
	m set-option -sg prompt-history-limit 2
	keys x1 Enter
	keys x2 Enter
	keys x3 Enter
	run show-prompt-history -T command
	detach
}
compare "history" history

# The command that opens a prompt waits for it, unless -b is given.
waiting() {
	attach
	m command-prompt -t "$client" -p text 'set-option -g @a "<%%>"' \
		\; set-option -g @after yes &
	waiter=$!
	expect_screen '^text'
	run show-options -gqv @after
	outer_keys x Enter
	wait $waiter
	echo "prompt: $?"
	got
	run show-options -gqv @after
	m confirm-before -t "$client" 'set-option -g @a sure' &
	waiter=$!
	expect_screen '^Confirm .set-option.? (y/n)'
	outer_keys y
	wait $waiter
	echo "yes: $?"
	got
	m confirm-before -t "$client" -p 'Really?' 'set-option -g @b no' &
	waiter=$!
	expect_screen '^Really?'
	outer_keys n
	wait $waiter
	echo "no: $?"
	run show-options -gqv @b
	echo "confirm-before -b -t $client { set-option -g @a block }" >block
	m source-file block
	expect_screen '^Confirm .set-option.'
	outer_keys y
	got
	run confirm-before -t nobody kill-server
	run confirm-before
	detach
}
compare "a prompt is waited for" waiting

completion() {
	attach
	ask
	outer_keys 'kill-sess' Tab
	expect_screen '^:kill-session *$'
	outer_keys C-u 'set -g status-le' Tab
	expect_screen '^:set -g status-left *$'
	outer_keys C-u 'select-l e' Home End BSpace BSpace Tab
	expect_screen '^:select-layout *$'
	outer_keys even-h Tab
	expect_screen '^:select-layout even-horizontal *$'
	outer_keys C-u 'nothing-like' Tab
	expect_screen '^:nothing-like *$'
	outer_keys C-u 'rename -ts' Tab
	expect_screen '^:rename -ts: *$'
	outer_keys C-u Enter
	# The keys must have arrived before the next prompt opens.
	expect_screen '^\[s\]'
	ask -T target -p where 'set-option -g @a "<%%>"'
	outer_keys Tab
	expect_screen '^where s: *$'
	outer_keys Enter
	got
	detach
}
# tmux 3.8 completes neither words behind the first nor targets.
rmux_only "completion" completion "+ show-options -gqv @a
<s:>"

choices() {
	first=$(sed -n 's/^X(\(kill_[a-z_]*\),.*/\1/p' "$e2e_src/conf/command.def" | head -n 1 | tr _ -)
	attach
	ask
	outer_keys 'kill-' Tab
	expect_screen '^:kill- *$'
	outer_keys Tab
	expect_screen "^ $first .*kill-session"
	outer_keys x
	wait_for '! outer_screen | grep -q kill-session' || echo "panel stays"
	outer_keys C-u 'switch-client -t ' Tab
	expect_screen '^:switch-client -t s: *$'
	outer_keys 0 . Tab
	expect_screen '^:switch-client -t s:0.0 *$'
	outer_keys C-u 'display-message -' Tab Tab
	expect_screen '^ -C .*-v'
	outer_keys C-u Enter
	expect_screen '^\[s\]'
	keys draft Up Up Down Down Enter
	keys a C-v Tab b Enter
	detach
}
rmux_only "completion shows what is left to choose" choices \
	"+ show-options -gqv @a
<draft>
+ show-options -gqv @a
<a	b>"

confirm_keys() {
	attach
	m confirm-before -b -y -c x -t "$client" -p sure 'set-option -g @a x'
	outer_keys x
	got
	m confirm-before -b -y -t "$client" -p sure 'set-option -g @a enter'
	outer_keys Enter
	got
	ask -e -p text 'set-option -g @a "<%%>"'
	outer_keys a BSpace BSpace
	wait_for '! outer_screen | grep -q ^text' || echo "prompt stays"
	ask -l -p 'a,b' 'set-option -g @a "<%%>"'
	expect_screen '^a,b *$'
	outer_keys c Enter
	got
	m set-option -g message-line 1 \; set-option -g status 2
	ask -p below 'set-option -g @a "<%%>"'
	wait_for 'outer_screen | tail -n 1 | grep -q ^below' || outer_screen
	outer_keys d Enter
	got
	m set-option -g message-format '>#{message}'
	m display-message -d 0 hello
	expect_screen '^>hello'
	detach
}
rmux_only "confirm-before -y -c, command-prompt -e -l, message-line" confirm_keys \
	"+ show-options -gqv @a
x
+ show-options -gqv @a
enter
+ show-options -gqv @a
<c>
+ show-options -gqv @a
<d>"

history_file() {
	m set-option -sg history-file "$e2e_dir/history"
	attach
	keys kept Enter
	detach
	stop
	sed 's/^/file: /' "$e2e_dir/history"
	printf 'set-option -sg history-file %s\n' "$e2e_dir/history" >conf
	case $M in
	tmux) "$e2e_tmux" -L e2e -f conf new-session -d -s s cat ;;
	*) "$e2e_rmux" -L e2e -f conf new-session -d -s s cat ;;
	esac
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
	run show-prompt-history -T command
}
compare "history-file" history_file

done_testing
