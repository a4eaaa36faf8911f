"""Drives copy mode of rmux or tmux for copy_random.py."""
import os
import subprocess
import time

# Each field of the state, as the record names it.
FIELDS = [
    ('m', '#{pane_in_mode}'),
    ('c', '#{copy_cursor_x},#{copy_cursor_y}'),
    ('p', '#{scroll_position}'),
    ('a', '#{selection_active}#{selection_present}'),
    ('u', '#{selection_mode}'),
    ('s', '#{selection_start_x},#{selection_start_y}'),
    ('e', '#{selection_end_x},#{selection_end_y}'),
    ('R', '#{rectangle_toggle}'),
    ('f', '#{search_present}#{search_count_partial}'),
    ('n', '#{search_count}'),
    ('M', '#{search_match}'),
    ('w', '#{copy_cursor_word}'),
    ('l', '#{copy_cursor_line}'),
    ('r', '#{refresh_active}'),
    ('N', '#{copy_line_numbers}'),
    ('q', '#{copy_position}/#{copy_position_limit}'),
    ('S', '#{pane_search_string}'),
]
MARK = '\x1e'
FORMAT = MARK.join(f for _, f in FIELDS)
# Without the time of the line, which differs.
POSITION = ('#[align=right][#{copy_position}/#{copy_position_limit}]'
            '#{?search_count, (#{search_count}'
            '#{?search_count_partial,+,} results),}')


def quote(word):
    return "'" + word.replace("'", "'\\''") + "'"


class Peer:
    """A server with one window for each script."""

    def __init__(self, program, name, conf):
        self.program = [program, '-L', name, '-f', conf]
        self.file = conf + name
        self.marks = 0
        self.tty = None
        self.start()

    def start(self):
        self.queue = []
        subprocess.run(self.program + ['kill-server'], capture_output=True,
                       check=False)
        subprocess.run(self.program + ['new-session', '-d', '-x', '80', '-y',
                                       '24', 'exec sleep 100000'], check=True)
        for c in ('set -g status off', 'set -g window-size manual',
                  'set -g mouse off', 'set -g set-clipboard off',
                  'set -g history-limit 2000', 'set -g copy-command ""',
                  'set -g copy-mode-position-format ' + quote(POSITION)):
            self.send(c)
        self.version = self.run("display -p '#{version}'")[0]

    def send(self, command):
        assert '\n' not in command, command
        self.queue.append(command)

    def flush(self):
        """Runs what is queued; returns the lines of each command."""
        if not self.queue:
            return []
        end = '=== end of reply ==='
        with open(self.file, 'w', encoding='utf-8') as f:
            for c in self.queue:
                f.write(c + '\ndisplay -p "%s"\n' % end)
        r = subprocess.run(self.program + ['source-file', self.file],
                           capture_output=True, check=False, timeout=60)
        out = [[]]
        for line in r.stdout.decode('utf-8', 'replace').split('\n'):
            if line == end:
                out.append([])
            else:
                out[-1].append(line)
        if len(out) != len(self.queue) + 1:
            raise RuntimeError('%s: %d replies to %d commands: %r' % (
                self.program, len(out) - 1, len(self.queue),
                r.stderr.decode()))
        self.queue = []
        for reply in out[:-1]:
            while reply and reply[-1] == '':
                reply.pop()
        return out[:-1]

    def run(self, command):
        self.send(command)
        return self.flush()[-1]

    def write(self, text):
        """Lets the program of the pane write TEXT, and waits for it."""
        self.marks += 1
        title = 'mark%d' % self.marks
        with open(self.tty, 'wb', buffering=0) as f:
            data = (text + '\033]2;' + title + '\007').encode()
            while data:
                data = data[f.write(data):]
        end = time.time() + 20
        while self.run("display -p -t :9 '#{pane_title}'") != [title]:
            if time.time() > end:
                raise RuntimeError('%s: no output' % self.program)
            time.sleep(0.002)

    def begin(self, script):
        for c in ("new-window -d -t :9 'stty raw -echo; exec sleep 10000'",
                  'resize-window -t :9 -x %d -y %d' % script.size,
                  'set -w -t :9 mode-keys ' + ('vi' if script.vi else 'emacs'),
                  'set -w -t :9 wrap-search ' + (
                      'on' if script.wrap else 'off'),
                  'set -w -t :9 copy-mode-line-numbers ' + script.numbers,
                  'set -g word-separators ' + quote(script.separators),
                  'select-window -t :9'):
            self.send(c)
        self.tty = self.run("display -p -t :9 '#{pane_tty}'")[0]
        end = time.time() + 20
        while self.run("display -p -t :9 '#{pane_current_command}'") != [
                'sleep'] and time.time() < end:
            time.sleep(0.005)
        self.write(script.text)

    def step(self, step):
        kind, arg = step
        if kind == 'size':
            self.send('resize-window -t :9 -x %d -y %d' % arg)
        elif kind == 'key':
            self.send('send-keys %s-t :9 %s' % (
                '' if arg[0] == 1 else '-N %d ' % arg[0], quote(arg[1])))
        elif kind == 'view':
            with open(self.file + '.text', 'w', encoding='utf-8') as f:
                f.write(arg)
            self.send('run-shell -t :9 ' + quote('cat ' + f.name))
        elif kind == 'open':
            self.send('copy-mode -t :9' + arg)
        else:
            count, words = arg
            self.send('send-keys %s-t :9 -X %s' % (
                '' if count == 1 else '-N %d ' % count,
                ' '.join(quote(w) for w in words)))

    def answers(self, script, screen=False):
        """The state after each step, and the buffers at the end."""
        self.begin(script)
        out = []
        replies = []
        for step in script.steps:
            if step[0] == 'out':
                replies += self.flush()
                self.write(step[1])
            else:
                self.step(step)
                if step[0] == 'size':
                    replies += self.flush()
            self.send('display -p -t :9 ' + quote('state' + FORMAT))
            if screen:
                self.send('capture-pane -peM -t :9')
        replies += self.flush()
        for i, reply in enumerate(replies):
            text = '\n'.join(reply)
            if not text.startswith('state'):
                continue
            out.append(dict(zip((k for k, _ in FIELDS),
                                text[5:].split(MARK))))
            if screen:
                out[-1]['screen'] = '\n'.join(replies[i + 1])
        names = self.run("list-buffers -F '#{buffer_name}'")
        buffers = []
        for name in names:
            r = subprocess.run(self.program + ['show-buffer', '-b', name],
                               capture_output=True, check=True)
            buffers.append(r.stdout.decode('utf-8', 'replace'))
            self.send('delete-buffer -b ' + name)
        self.run('kill-window -t :9')
        return out, buffers

    def close(self):
        subprocess.run(self.program + ['kill-server'], capture_output=True,
                       check=False)
        for name in (self.file, self.file + '.text'):
            if os.path.exists(name):
                os.unlink(name)
