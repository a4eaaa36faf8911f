#!/bin/sh
# Run the commands and keys that the documents tell their readers to type.
s=${top_srcdir:-.}
unset RMUX RMUX_PANE TMUX XDG_RUNTIME_DIR XDG_CONFIG_HOME SSH_CONNECTION
exec sh "$s/scripts/check-docs.sh" "${top_builddir:-.}" "$s/README.md" \
	"$s/doc/TUTORIAL.md" "$s/doc/KEYS.md" "$s/HACKING.md"
