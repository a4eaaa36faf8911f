"""One of the two programs: its folder, its server, what a probe asks of it.

A step is a list of words.  The first word says what it is:
  ! tty TARGET TEXT   TEXT (with escapes of Python) as output of TARGET's pane
  ! write NAME TEXT   a file in the working folder
  ! attach COLS ROWS ARGS...   a client in a terminal of its own
  ! type TEXT         keys for that client
  ! screen            reads what that client shows: its look (cells.py)
  ! keys NAME         reads the file NAME up to its end mark, and empties it
  ~ WORDS             the command WORDS, read again until both sides agree
  anything else       a command
"""
import codecs
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             '../e2e'))
from cells import look  # noqa: E402

HANG = 3.0
END_MARK = b'<<'

TEXT_MASKS = [(re.compile(p), w) for p, w in (
    (r'\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|'
     r'Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d \d{4}\b', 'DATE'),
    (r'(?<!\d)(1[789]\d{8})+(\.\d+)?(?!\d)', 'TIME'),
    (r'/dev/pts/\d+', '/dev/pts/N'),
    (r'\bclient-\d+\b', 'client-PID'),
    (r'(history \d+/\d+), \d+ bytes\]', r'\1, N bytes]'),
)]


def has_numbers_of_processes(text):
    return 'pid' in text



def own_options():
    """Names of the options and hooks that only rmux has: rows with OPT_OWN."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        '../../conf/option.def')
    with open(path, encoding='utf-8') as f:
        rows = re.split(r'^X\(', f.read(), flags=re.M)[1:]
    return [row.split('"')[1] for row in rows
            if 'OPT_OWN' in re.sub(r'"[^"]*"', '', row)]


# Lines that begin with such a name, or that show keys that only rmux has, are not
# compared.
OWN = re.compile(
    r'^(?:\d+ )?(' + '|'.join(map(re.escape, own_options())) +
    r')([ =[].*)?\n|'
    r'^bind-key .* (search-panes -Z "%%"( })?|guest -[ar]|invite -k all|'
    r'command-palette|hints|copy-output|show-notifications( -j)?)\n|'
    r'^.* (Search the text of all panes|(Refuse|Let) the waiting guest( in)?|'
    r'Remove guests, end invitations|Find commands, windows, options|'
    r'Label texts to copy, paste or open|Copy the output of the last command|'
    r'Show the notifications of programs|Show the pane that notified last)\n',
    re.M)


# Keys of the table prefix that only rmux has: diff.py unbinds them.
OWN_KEYS = ('F', 'N', 'U', 'X', 'Y', 'e', 'h', 'u', 'y')

# Default keys of which a part differs: C-b Tab has rows in low terminals, too.
OWN_PARTS = (('"#{?#{e|<:#{window_height},27},8,30%}"', '"30%"'),)


class Side:
    """PROGRAM with a server and a working folder below TOP."""

    def __init__(self, name, program, top):
        self.name = name
        self.program = program
        self.dir = os.path.join(top, name)
        self.work = os.path.join(self.dir, 'work')
        self.socket = os.path.join(self.dir, 'sock')
        os.makedirs(self.dir, exist_ok=True)
        self.outer = None
        self.unbinds = False
        self.columns = None
        self.base = [program, '-S', self.socket, '-f', '/dev/null']
        self.env = {
            'HOME': self.dir, 'SHELL': '/bin/sh', 'LC_ALL': 'C.UTF-8',
            'TERM': 'xterm-256color', 'PS1': '$ ', 'TZ': 'UTC',
            'PATH': os.environ.get('PATH', '/usr/bin:/bin'),
            'USER': os.environ.get('USER', 'user'), 'PROBE': 'a value',
            'TMUX_TMPDIR': self.dir, 'RMUX_TMPDIR': self.dir,
            # The script that runs the reference sets these.
            'PWD': self.work, 'TERMINFO_DIRS':
            '/usr/share/terminfo:/lib/terminfo:/etc/terminfo',
        }
        for keep in ('ASAN_OPTIONS', 'UBSAN_OPTIONS'):
            if keep in os.environ:
                self.env[keep] = os.environ[keep]
        self.out = open(os.path.join(self.dir, 'out'), 'w+b')
        self.err = open(os.path.join(self.dir, 'err'), 'w+b')
        self.server = 0
        self.marks = 0

    # --- processes ------------------------------------------------------------

    def spawn(self, words):
        for f in (self.out, self.err):
            f.seek(0)
            f.truncate()
        return subprocess.Popen(
            self.base + words, stdin=subprocess.DEVNULL, stdout=self.out,
            stderr=self.err, env=self.env, cwd=self.work)

    def reap(self, process, words, end):
        """(exit code, stdout, stderr) of PROCESS, as the other side has it."""
        code = self.wait(process, end)
        texts = []
        for f in (self.out, self.err):
            f.seek(0)
            texts.append(self.plain(f.read(), words))
        return (code, *texts)

    @staticmethod
    def wait(process, end):
        if process.poll() is None:
            fd = os.pidfd_open(process.pid)
            p = select.poll()
            p.register(fd, select.POLLIN)
            p.poll(max(0, (end - time.monotonic()) * 1000))
            os.close(fd)
        if process.poll() is None:
            process.kill()
            process.wait()
            return 'hangs'
        return process.returncode

    def command(self, words):
        return self.reap(self.spawn(words), words, time.monotonic() + HANG)

    def plain(self, data, words=()):
        text = data.decode('utf-8', 'backslashreplace')
        text = text.replace(self.dir, 'DIR')
        text = text.replace('rmux', 'tmux').replace('RMUX', 'TMUX')
        for pattern, word in TEXT_MASKS:
            text = pattern.sub(word, text)
        if self.name == 'r':
            text = OWN.sub('', text)
            for ours, theirs in OWN_PARTS:
                text = text.replace(ours, theirs)
        if has_numbers_of_processes(' '.join(words)):
            text = re.sub(r'\d{3,}', 'PID', text)
        return text

    # --- a server ---------------------------------------------------------------

    def start(self, scene):
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        for step in scene:
            r = self.step(step)
            if r[0] != 0:
                raise RuntimeError('%s: scene: %s: %r' % (self.name, step, r))
        if self.unbinds:
            for key in OWN_KEYS:
                self.command(['unbind-key', key])
        r = self.command(['display-message', '-p', '#{l:}#{pid}'])
        self.out.seek(0)
        self.server = int(self.out.read().strip() or b'0')

    def stop(self):
        self.hang_up()
        if self.server == 0:
            return
        self.command(['kill-server'])
        end = time.monotonic() + HANG
        while time.monotonic() < end:
            try:
                os.kill(self.server, 0)
            except ProcessLookupError:
                break
            with open('/proc/%d/stat' % self.server, encoding='ascii') as f:
                if f.read().rpartition(')')[2].split()[0] == 'Z':
                    break
            time.sleep(0.002)
        else:
            os.kill(self.server, signal.SIGKILL)
        self.server = 0
        try:
            os.unlink(self.socket)
        except FileNotFoundError:
            pass

    # --- steps --------------------------------------------------------------------

    def step(self, step):
        """What STEP answers; special steps answer with their text as stdout."""
        if step[0] == '~':
            return self.command(step[1:])
        if step[0] != '!':
            return self.command(step)
        return getattr(self, 'do_' + step[1])(*step[2:])

    def do_tty(self, target, text):
        """Output of a pane, and the answer when the server has read it."""
        _, _, err = self.command(['display-message', '-p', '-t', target,
                                  '#{pane_tty}'])
        self.out.seek(0)
        tty = self.out.read().decode().strip()
        if not tty.startswith('/dev/'):
            return (1, '', err)
        self.marks += 1
        title = 'read %d' % self.marks
        data = codecs.escape_decode(text.encode())[0]
        with open(tty, 'wb', buffering=0) as f:
            mark = b'\033]2;%s\033\\' % title.encode()
            # An alert comes behind all that is read at once.
            for part in ([data + mark] if data == b'\007' else [data, mark]):
                f.write(part)
        return self.until(lambda: self.command(
            ['display-message', '-p', '-t', target, '#{pane_title}'])[1]
            == title + '\n')

    @staticmethod
    def until(true):
        end = time.monotonic() + HANG
        while not true():
            if time.monotonic() > end:
                return ('hangs', '', '')
            time.sleep(0.002)
        return (0, '', '')

    def do_write(self, name, text):
        with open(os.path.join(self.work, name), 'wb') as f:
            f.write(codecs.escape_decode(text.encode())[0])
        return (0, '', '')

    def do_keys(self, name):
        path = os.path.join(self.work, name)
        data = b''

        def there():
            nonlocal data
            try:
                with open(path, 'rb') as f:
                    data = f.read()
            except FileNotFoundError:
                return False
            return data.endswith(END_MARK)
        r = self.until(there)
        if r[0] == 0:
            os.truncate(path, 0)
        return (r[0], repr(data)[2:-1], '')

    # --- a client in a terminal -----------------------------------------------------

    def do_attach(self, cols, rows, *words):
        self.hang_up()
        self.outer.run('new-session', '-d', '-s', self.name, '-x', cols, '-y',
                       rows, *self.client_words(words))
        r = self.until(
            lambda: self.command(['list-clients'])[1].count('\n') > 0)
        # Its size comes behind it: the window gets it, unless options forbid it.
        lines = '#{?#{==:#{status},off},0,#{?#{==:#{status},on},1,#{status}}}'
        end = time.monotonic() + 0.5
        while r[0] == 0 and time.monotonic() < end and self.command(
                ['list-clients', '-F', '#{window_width}x#{e|+:#{window_height},' +
                 lines + '}'])[1] != '%sx%s\n' % (cols, rows):
            time.sleep(0.002)
        return r

    def client_words(self, words):
        env = ['env', '-i'] + ['%s=%s' % i for i in self.env.items()
                               if i[0] != 'TERM'] + ['TERM=tmux-256color']
        return env + self.base + (list(words) or ['attach-session'])

    def do_type(self, text):
        codes = ['%02x' % b for b in codecs.escape_decode(text.encode())[0]]
        self.outer.run('send-keys', '-t', self.name + ':', '-H', *codes)
        return (0, '', '')

    def do_screen(self, *flags):
        text = self.outer.run('capture-pane', *(flags or ('-ep',)), '-t',
                              self.name + ':')
        # Empty rows at the end are captured or not.
        return (0, re.sub(r'(\n *\d+\|)+\n?$', '\n', look(self.plain(text))), '')

    def hang_up(self):
        if self.outer is not None:
            self.outer.run('kill-session', '-t', '=' + self.name)


class Outer:
    """The terminals of both sides' clients: panes of a server of its own."""

    def __init__(self, program, top):
        self.base = [program, '-S', os.path.join(top, 'outer'), '-f',
                     '/dev/null']
        self.env = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'),
                    'HOME': top, 'LC_ALL': 'C.UTF-8', 'SHELL': '/bin/sh',
                    'TERM': 'xterm-256color'}
        self.run('new-session', '-d', '-s', 'keep', 'cat', ';',
                 'set', '-g', 'status', 'off', ';', 'set', '-sg',
                 'escape-time', '0', ';', 'set', '-g', 'default-terminal',
                 'tmux-256color')

    def run(self, *words):
        return subprocess.run(
            self.base + list(words), stdin=subprocess.DEVNULL, env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
            timeout=10).stdout

    def stop(self):
        self.run('kill-server')
