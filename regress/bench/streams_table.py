#!/usr/bin/env python3
"""Streams of rmux beside OpenSSH on the same links, and keys meanwhile.

    streams_table.py [options] BUILD TRACES [-o FILE] [ROW...]

Both systems go through BUILD/regress/tools/link: two networks joined by one
simulated link, so that the kernel's TCP meets the same delays, losses and queue
as rmux's UDP.  ROW is a part of the names of links and workloads (-l lists
them), as in "100 Mbit" or "exec"; without any, all are run.  TRACES is a folder
of recorded cellular links, as for ssp_pace; rows without their trace are left
out.

Workloads, all from the far end to the near one: -L with one connection and with
fifty, exec of cat, cp of one large file and of many small ones (scp -O: the sshd
of this bench has no sftp).  MB/s and processor time count from the first byte
that comes, so no sign-in, until everything has come or -s seconds are over.
"Keys" come from another client of the same system on the same link, without
prediction: one key each 150 ms, and the time to its echo beyond the round trip
of the link.  ssh uses a pair of keys and a configuration of its own.

Each link has its own processes, and a limit of time, after which what has been
measured is kept, and everything that runs is ended.  Fast links run one after
the other; slow ones, which need little of a processor, several at a time.
"""
import argparse
import ctypes
import fcntl
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

from copies import cp_words, exec_words
from forward import cpu, end_programs, fetch, forward_words, free_port, source, tree
from people_keys import Bench, Server, wait_for
from tcp_link import capacity
from wire_bytes import Sshd

ME = os.path.abspath(__file__)
SYSTEMS = ('rmux', 'ssh')
WORKS = ('-L, 1 stream', '-L, 50 streams', 'exec cat', 'cp, large file',
         'cp -r, small files')
FAR = '10.99.0.2'
KEY_GAP = .15
WARM = .3      # s that keys are typed before the copy
STREAMS = 50
SIGN_IN = 30   # s until the first byte
BIG_MOST = 400e6


class Link:
    def __init__(self, name, rtt, rate=0, loss=0, queue=40, down='', up=''):
        """RTT and QUEUE in ms; RATE in bytes a second, 0: no emulator."""
        self.name, self.rtt, self.rate = name, rtt, rate
        self.traces = (down, up) if down else ()
        self.slow = bool(down) or 0 < rate < 2e6
        common = 'delay=%g,loss=%g' % (rtt / 2, loss)
        if rate:
            common += ',rate=%d,queue=%d' % (rate, rate * queue / 1000)
        self.ways = [common, common] if rate or down else None

    def use(self, traces):
        """Takes the traces of the folder; False: they are not there."""
        for i, name in enumerate(self.traces):
            path = os.path.join(os.path.abspath(traces), name)
            if not os.path.exists(path):
                return False
            self.ways[i] += ',trace=' + path
        return True

    def seconds(self, opts):
        return opts.slow_seconds if self.slow else opts.seconds

    def size(self, opts):
        """Bytes of the workloads with one size."""
        rate = self.rate or (1e6 if self.slow else 1e9)
        return int(opts.mb * 1e6 or min(rate * self.seconds(opts), BIG_MOST))


LINKS = (
    Link('loopback', 0),
    Link('1 Gbit/s, 0.2 ms', .2, 125e6, queue=10),
    Link('1 Gbit/s, 100 ms', 100, 125e6),
    Link('100 Mbit/s, 40 ms', 40, 12.5e6),
    Link('100 Mbit/s, 40 ms, 0.1 % lost', 40, 12.5e6, .001),
    Link('100 Mbit/s, 40 ms, 1 % lost', 40, 12.5e6, .01),
    Link('100 Mbit/s, 40 ms, 5 % lost', 40, 12.5e6, .05),
    Link('5 Mbit/s, 60 ms, 5 s of queue', 60, 625e3, queue=5000),
    Link('Verizon LTE down', 40, down='Verizon-LTE-short.down',
         up='Verizon-LTE-short.up'),
    Link('Verizon EV-DO down', 40, down='Verizon-EVDO-driving.down',
         up='Verizon-EVDO-driving.up'),
)


# --- processes --------------------------------------------------------------

def adopt():
    """Orphans of this process's descendants become its children."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def end_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def end_children():
    """Ends all that runs below this process, and waits for it."""
    for _ in range(20):
        end_all(tree(os.getpid())[1:])
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(.02)


class Terminal:
    """A program in a terminal, whose output a thread reads."""

    def __init__(self, argv, env, columns=80):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(env)
            try:
                os.execvp(argv[0], argv)
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', 24, columns, 0, 0))
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.over.is_set():
            if select.select([self.fd], [], [], .1)[0]:
                try:
                    got = os.read(self.fd, 65536)
                except OSError:
                    return
                if not got:
                    return
                self.came(time.monotonic(), got)

    def came(self, now, data):
        pass

    def end(self):
        self.over.set()
        self.thread.join()
        end_all([self.pid])
        os.waitpid(self.pid, 0)
        os.close(self.fd)


SEQUENCE = re.compile(
    rb'\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|'
    rb'[P_^X][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])|[\x00-\x1a\x1c-\x1f]')


class Keys(Terminal):
    """Types one letter after the other and takes the times of their echoes.

    They stand one behind the other on the screen, so each is painted once; one
    that never is counts until the end.
    """

    def __init__(self, argv, env):
        self.lock = threading.Lock()
        self.rest, self.text = b'', b''
        self.sent, self.echoed = [], []
        self.ready = False
        self.typing = None
        # Wide enough that no line is full while a copy runs.
        super().__init__(argv, env, 400)

    @staticmethod
    def letter(n):
        return bytes([ord('A') + n % 26])

    def came(self, now, data):
        with self.lock:
            data = SEQUENCE.sub(b'', self.rest + data)
            at = data.find(b'\x1b')
            self.rest = data[at:][:4096] if at >= 0 else b''
            data = data[:at] if at >= 0 else data
            if not self.ready:
                self.text += data
                self.ready = b'ready' in self.text
                return
            for c in data:
                n = len(self.echoed)
                if n < len(self.sent) and c == self.letter(n)[0]:
                    self.echoed.append(now)

    def begin(self):
        wait_for('terminal for the keys', SIGN_IN, lambda: self.ready)
        self.typing = threading.Thread(target=self.type, daemon=True)
        self.typing.start()

    def type(self):
        due = time.monotonic()
        while not self.over.is_set():
            with self.lock:
                n = len(self.sent)
                self.sent.append(time.monotonic())
            try:
                os.write(self.fd, self.letter(n))
            except OSError:
                return
            due += KEY_GAP
            self.over.wait(max(0, due - time.monotonic()))

    def times(self, begin, end, patience):
        """Ms of the keys typed between, once they are echoed or late."""
        with self.lock:
            last = sum(1 for t in self.sent if t <= end)
        late = time.monotonic() + patience
        while time.monotonic() < late and len(self.echoed) < last:
            time.sleep(.02)
        with self.lock:
            now = time.monotonic()
            done = self.echoed + [now] * (last - len(self.echoed))
            return [(done[i] - t) * 1000 for i, t in
                    enumerate(self.sent[:last]) if t >= begin]


ECHO = "stty raw -echo; printf ready; exec cat"


def forget_metrics():
    """A connection of TCP starts without what earlier ones have learned."""
    try:
        with open('/proc/sys/net/ipv4/tcp_no_metrics_save', 'w',
                  encoding='ascii') as f:
            f.write('1')
    except OSError:
        pass


# --- the far end ------------------------------------------------------------

def far(spec):
    """Starts both systems; says in a file how to reach them; stays."""
    class Options:
        jobs, truth, verbose = 1, '', False
    if spec['ways'] is not None:
        forget_metrics()
    bench = Bench(spec['build'], Options())
    os.rmdir(bench.dir)
    bench.dir = spec['dir']
    out = {'rmux': None, 'ssh': None, 'port': {}}
    server = Server(bench, 'never', Server.CONF + "set -g predict never\n")
    server.host = spec['host']
    server.run('new-session', '-d', '-s', 'keys', '-x', '400', '-y', '24',
               ECHO)
    pid = int(server.run('display-message', '-p', '#{pid}'))
    out['rmux'] = {'words': server.attach(server.port), 'env': server.env,
                   'pid': pid, 'keys': ['-t', 'keys']}
    try:
        sshd = Sshd(bench, spec['host'])
        if sshd.works():
            out['ssh'] = {'words': sshd.client(sshd.port), 'env': {},
                          'pid': sshd.process.pid, 'keys': [ECHO]}
    except (OSError, subprocess.CalledProcessError):
        pass
    for streams in (1, STREAMS):
        out['port'][str(streams)] = source(spec['size'] // streams)
    path = os.path.join(spec['dir'], 'far.json')
    with open(path + '.new', 'w', encoding='utf-8') as f:
        json.dump(out, f)
    os.rename(path + '.new', path)
    signal.pause()


# --- the near end -----------------------------------------------------------

class Near:
    def __init__(self, spec):
        self.spec = spec
        self.before = 0.0
        self.begun = time.monotonic()
        path = os.path.join(spec['dir'], 'far.json')
        wait_for('far end', SIGN_IN, lambda: os.path.exists(path))
        with open(path, encoding='utf-8') as f:
            self.far = json.load(f)

    def cpu(self, system, client):
        pids = tree(self.far[system]['pid'])
        return cpu(pids + (tree(client) if client else []))

    def loads(self, system, work):
        fn = self.forward if work.startswith('-L') else self.command
        return fn(system, work)

    def forward(self, system, work):
        """Returns (bytes, first, last, processor time)."""
        streams = STREAMS if '50' in work else 1
        e, port = self.far[system], free_port()
        client = Terminal(forward_words(
            system, e['words'], port, self.far['port'][str(streams)]), e['env'])
        try:
            def up():
                with open('/proc/net/tcp', encoding='ascii') as f:
                    return re.search(r': \S+:%04X \S+ 0A ' % port, f.read())
            wait_for('forward of ' + system, SIGN_IN, up)
            got, before = [], self.cpu(system, client.pid)
            until = time.monotonic() + self.spec['seconds']
            threads = [threading.Thread(target=fetch, args=(port, got, until))
                       for _ in range(streams)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            used = self.cpu(system, client.pid) - before
        finally:
            client.end()
        came = [g for g in got if g[1] is not None]
        if not came:
            raise RuntimeError('no byte')
        return sum(g[0] for g in came), min(g[1] for g in came), \
            max(g[2] for g in came), used

    def command(self, system, work):
        spec, words = self.spec, self.far[system]['words']
        to = os.path.join(spec['dir'], 'to')
        shutil.rmtree(to, ignore_errors=True)
        os.mkdir(to)
        many = work.startswith('cp -r')
        if work == 'exec cat':
            argv = exec_words(system, words, 'head -c %d %s' % (
                spec['size'], shlex.quote(spec['big'])))
        else:
            argv = cp_words(system, words,
                            ':' + spec['many' if many else 'big'], to, many)
        before = self.cpu(system, 0)
        p = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdout=subprocess.PIPE if work == 'exec cat'
            else subprocess.DEVNULL,
            env=dict(os.environ, **self.far[system]['env']))
        try:
            if work == 'exec cat':
                n, first, last = self.drain(p.stdout.fileno())
                p.stdout.close()
            else:
                n, first, last = self.watch(p, to)
            alive = p.poll() is None
            used = self.cpu(system, p.pid if alive else 0) - before + \
                (0 if alive else self.ended())
        finally:
            end_all(tree(p.pid) if p.poll() is None else [])
            p.wait()
        return n, first, last, used

    def ended(self):
        """Processor time of our children that ended since the last call."""
        t = os.times()
        now = t.children_user + t.children_system
        used, self.before = now - self.before, now
        return used

    def drain(self, fd):
        n, first, last = 0, None, None
        until = time.monotonic() + SIGN_IN
        while select.select([fd], [], [], max(
                0, until - time.monotonic()))[0]:
            k = len(os.read(fd, 1 << 20))
            if k == 0:
                break
            n += k
            last = time.monotonic()
            if first is None:
                first = last
                until = first + self.spec['seconds']
        if first is None:
            raise RuntimeError('no byte')
        return n, first, last

    def watch(self, p, to):
        """Waits for a copy into folder TO."""
        def size():
            n = 0
            for top, _, names in os.walk(to):
                for name in names:
                    try:
                        n += os.stat(os.path.join(top, name)).st_size
                    except OSError:
                        pass
            return n
        until, first = time.monotonic() + SIGN_IN, None
        while time.monotonic() < until:
            if first is None and size() > 0:
                first = time.monotonic()
                until = first + self.spec['seconds']
            try:
                p.wait(.005 if first is None else until - time.monotonic())
                break
            except (subprocess.TimeoutExpired, ValueError):
                pass
        last = time.monotonic()
        n = size()
        if n == 0:
            raise RuntimeError('no byte')
        return n, first or last, last

    def once(self, system, work):
        e = self.far[system]
        keys = Keys(e['words'] + e['keys'], e['env'])
        try:
            keys.begin()
            time.sleep(WARM)
            self.ended()
            n, first, last, used = self.loads(system, work)
            ms = keys.times(first, last, self.spec['patience'])
        finally:
            keys.end()
        return {'bytes': n, 'at': first - self.begun,
                'seconds': max(last - first, .001), 'cpu': used, 'keys': ms}

    def run(self, out):
        for system, work in self.spec['tasks']:
            if self.far[system] is None:
                continue
            try:
                r = self.once(system, work)
            except (OSError, RuntimeError) as e:
                r = {'why': str(e)}
            r.update(system=system, work=work)
            out.write(json.dumps(r) + '\n')
            out.flush()
            time.sleep(self.spec['rest'])


def near(spec):
    with open(os.path.join(spec['dir'], 'results'), 'a',
              encoding='utf-8') as out:
        Near(spec).run(out)


# --- one link ---------------------------------------------------------------

def job(spec):
    """Runs both ends with a limit of time; leaves nothing behind."""
    adopt()
    libc = ctypes.CDLL(None)
    libc.prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    path = os.path.join(spec['dir'], 'spec.json')
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(spec, f)
    ends = [[sys.executable, ME, '--' + e, path] for e in ('far', 'near')]
    try:
        if spec['ways'] is None:
            subprocess.Popen(ends[0])
            last = subprocess.Popen(ends[1])
        else:
            last = subprocess.Popen(
                [os.path.join(spec['build'], 'regress', 'tools', 'link'),
                 '-d', spec['ways'][0], '-u', spec['ways'][1]] +
                [shlex.join(e) for e in ends])
        last.wait(spec['limit'])
    except subprocess.TimeoutExpired:
        print('# %s: out of time' % spec['link'], flush=True)
    finally:
        end_children()


class Job:
    def __init__(self, bench, link, tasks):
        opts = bench.opts
        self.link, self.dir = link, bench.path('job%d' % bench.number())
        os.mkdir(self.dir, 0o700)
        seconds = link.seconds(opts)
        size = link.size(opts)
        # A task that asks for more bytes than the time allows gets it.
        if opts.mb or opts.files:
            seconds = max(seconds, opts.limit)
        self.spec = {
            'dir': self.dir, 'build': bench.build, 'link': link.name,
            'host': FAR if link.ways else '127.0.0.1', 'ways': link.ways,
            'tasks': tasks, 'seconds': seconds, 'size': size,
            'rest': .3, 'patience': 8 if link.slow else 2, 'big': bench.big(size),
            'many': bench.many(opts.files or (300 if link.slow else 3000)),
            'limit': SIGN_IN + len(tasks) * (seconds + 16)}
        self.process = bench.spawn(
            [sys.executable, ME, '--job', json.dumps(self.spec)])

    def done(self):
        """Returns the results, None: it runs."""
        try:
            self.process.wait(.2)
        except subprocess.TimeoutExpired:
            return None
        out = []
        try:
            with open(os.path.join(self.dir, 'results'),
                      encoding='utf-8') as f:
                out = [json.loads(line) for line in f]
        except OSError:
            pass
        shutil.rmtree(self.dir, ignore_errors=True)
        return out


class Table(Bench):
    """All links; the files that are copied."""

    def big(self, size):
        path = self.path('big-%d' % size)
        if not os.path.exists(path):
            with open(path, 'wb') as f:
                left = size
                while left > 0:
                    left -= f.write(os.urandom(min(left, 1 << 20)))
        return path

    def many(self, files):
        path = self.path('many-%d' % files)
        for i in range(0 if os.path.exists(path) else files):
            d = os.path.join(path, str(i // 200))
            if i % 200 == 0:
                os.makedirs(d)
            with open(os.path.join(d, str(i)), 'w', encoding='ascii') as f:
                f.write('x' * (i * 37 % 5000))
        return path

    def end(self):
        end_programs(self.children)
        end_children()
        super().end()


def jobs_of(opts, link, works):
    """Lists of tasks: fast links run all of them in one go."""
    tasks = [(s, w) for _ in range(opts.runs) for w in works
             for s in SYSTEMS]
    return [[t] for t in tasks] if link.slow else [tasks]


def wanted(opts):
    out = []
    for link in LINKS:
        works = [w for w in WORKS if not opts.rows or any(
            r in link.name or r in w for r in opts.rows)]
        named = [w for w in works if any(r in w for r in opts.rows)]
        if any(r in link.name for r in opts.rows) and named:
            works = named
        elif any(any(r in k.name for r in opts.rows) for k in LINKS) and \
                not any(r in link.name for r in opts.rows):
            works = []
        if not works:
            continue
        if not link.use(opts.traces):
            print('# %s: no trace' % link.name)
            continue
        out.append((link, works))
    return out


def run(bench, rows):
    """Returns the results of each (link, work, system)."""
    opts, got, running = bench.opts, {}, []

    def collect(most):
        while len(running) > most:
            for j in list(running):
                res = j.done()
                if res is None:
                    continue
                running.remove(j)
                for r in res:
                    key = (j.link.name, r['work'], r['system'])
                    got.setdefault(key, []).append(r)
                    if 'why' in r:
                        print('# %s, %s: %s: %s' % (*key, r['why']),
                              flush=True)
    for link, works in sorted(rows, key=lambda r: r[0].slow):
        for tasks in jobs_of(opts, link, works):
            collect(opts.jobs - 1 if link.slow else 0)
            running.append(Job(bench, link, tasks))
        if not link.slow:
            collect(0)
            show(opts, [(link, works)], got, sys.stdout, False)
    collect(0)
    show(opts, [r for r in rows if r[0].slow], got, sys.stdout, False)
    return got


# --- the table --------------------------------------------------------------

HEAD = ('link', 'workload', 'MB/s rmux', 'ssh', 'ratio', 'share rmux', 'ssh',
        'CPU s/GB rmux', 'ssh', 'keys rmux, ms', 'ssh')


def number(v, form='%.2f'):
    return '' if v is None else form % v


def summary(link, traces, runs):
    runs = [r for r in runs if 'why' not in r]
    if not runs:
        return None, None, None, ''
    rate = {}
    for i, r in enumerate(runs):
        rate[i] = link.rate
        if link.traces:
            rate[i] = capacity(os.path.join(traces, link.traces[0]), r['at'],
                               r['seconds']) * 125
    mbs = statistics.median(r['bytes'] / r['seconds'] for r in runs) / 1e6
    share = statistics.median(
        r['bytes'] / r['seconds'] / rate[i] if rate[i] else 0
        for i, r in enumerate(runs))
    used = statistics.median(r['cpu'] / r['bytes'] for r in runs) * 1e9
    ms = sorted(k - link.rtt for r in runs for k in r['keys'])
    keys = '%.0f / %.0f' % (statistics.median(ms), ms[
        len(ms) * 99 // 100]) if ms else ''
    return mbs, share or None, used, keys


def lines(opts, rows, got):
    """Yields the cells of each row of the table."""
    for link, works in rows:
        for work in works:
            a, b = (summary(link, opts.traces, got.get((link.name, work, s), []))
                    for s in SYSTEMS)
            ratio = a[0] / b[0] if a[0] and b[0] else None
            yield (link.name, work, number(a[0]), number(b[0]), number(ratio),
                   number(a[1]), number(b[1]), number(a[2], '%.1f'),
                   number(b[2], '%.1f'), a[3], b[3])


def show(opts, rows, got, out, head=True):
    """Writes a table for Markdown; all tables have the same width."""
    table = list(lines(opts, rows, got))
    width = [max(len(k.name) for k in LINKS), max(len(w) for w in WORKS)]
    width += [max(len(h), 13) for h in HEAD[2:]]
    if head:
        table[:0] = [HEAD, ['-' * w for w in width]]
    for r in table:
        print('| ' + ' | '.join(
            c.ljust(w) if i < 2 else c.rjust(w)
            for i, (c, w) in enumerate(zip(r, width))) + ' |', file=out)
    out.flush()


def options():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('build')
    ap.add_argument('traces')
    ap.add_argument('rows', nargs='*')
    ap.add_argument('-l', '--list', action='store_true')
    ap.add_argument('-o', '--out', default='')
    ap.add_argument('-r', '--runs', type=int, default=1)
    ap.add_argument('-s', '--seconds', type=float, default=3,
                    help='of a copy on a fast link (3)')
    ap.add_argument('-S', '--slow-seconds', type=float, default=20,
                    help='on a slow one (20)')
    ap.add_argument('-m', '--mb', type=float, default=0,
                    help='size of a copy (what the link takes in the time)')
    ap.add_argument('-f', '--files', type=int, default=0,
                    help='number of small files (3,000; on slow links 300)')
    ap.add_argument('-t', '--limit', type=float, default=120,
                    help='seconds of a copy if -m or -f is given (120)')
    ap.add_argument('-j', '--jobs', type=int, default=4,
                    help='copies at once on slow links (4)')
    opts = ap.parse_intermixed_args()
    opts.truth, opts.verbose = '', False
    return opts


def main():
    for name, fn in (('--far', far), ('--near', near)):
        if sys.argv[1:2] == [name]:
            with open(sys.argv[2], encoding='utf-8') as f:
                return fn(json.load(f))
    if sys.argv[1:2] == ['--job']:
        return job(json.loads(sys.argv[2]))
    opts = options()
    rows = wanted(opts)
    if opts.list:
        for link, works in rows:
            print('%s: %s' % (link.name, '; '.join(works)))
        return 0
    if subprocess.run([os.path.join(opts.build, 'regress/tools/link'), 'true',
                       'true'], check=False).returncode != 0:
        print('# no networks of one\'s own')
        return 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    adopt()
    bench = Table(opts.build, opts)
    try:
        with open('/proc/sys/net/ipv4/tcp_congestion_control',
                  encoding='ascii') as f:
            print('# TCP: ' + f.read().strip())
        show(opts, [], {}, sys.stdout)
        got = run(bench, rows)
    finally:
        bench.end()
    if opts.out:
        with open(opts.out, 'w', encoding='utf-8') as f:
            show(opts, rows, got, f)
    return 0


if __name__ == '__main__':
    sys.exit(main())
