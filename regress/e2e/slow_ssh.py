"""Runs a command as a slow ssh would: its standard input and output pass at RATE bytes
a second.

    slow_ssh.py RATE MARK FILE COMMAND...

After each MARK bytes in a direction it appends its process id to FILE.
"""
import os
import subprocess
import sys
import threading
import time

PIECE = 4096


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def carry(source, sink, rate, mark, moved):
    """Copies up to the end; calls MOVED after each MARK bytes."""
    due = time.monotonic()
    fresh = 0
    try:
        while data := os.read(source, PIECE):
            due = max(due, time.monotonic() - 0.1) + len(data) / rate
            time.sleep(max(0, due - time.monotonic()))  # sleep-ok: the rate
            write_all(sink, data)
            fresh += len(data)
            if fresh >= mark:
                fresh = 0
                moved()
    except OSError:
        pass
    finally:
        os.close(sink)


def main():
    rate, mark, file = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    command = subprocess.Popen(sys.argv[4:], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, bufsize=0)

    def moved():
        with open(file, 'a') as out:
            print(os.getpid(), file=out)

    there = os.dup(command.stdin.fileno())
    command.stdin.close()
    threading.Thread(target=carry, args=(0, there, rate, mark, moved),
                     daemon=True).start()
    carry(command.stdout.fileno(), 1, rate, mark, moved)
    # The other thread may wait for input for ever.
    os._exit(command.wait() & 255)


main()
