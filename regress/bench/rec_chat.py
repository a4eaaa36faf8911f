#!/usr/bin/env python3
"""A chat program for recordings: talks to itself, always the same.

    rec_chat.py          a screen of its own, a status bar, an input line
    rec_chat.py lines    lines of the terminal, as write or a MUD
"""
import os
import sys
import termios
import tty

REPLIES = ['hm, tell me more', 'yes', 'I saw that too, it was on Tuesday',
           'why do you think so?', 'ok :)', 'let us meet at noon',
           'that is the third time this week', 'fine with me']


def reply(n, line):
    words = line.split()
    last = words[-1] if words else 'nothing'
    return '%s (%s, %d)' % (REPLIES[n % len(REPLIES)], last[:12], len(line))


def lines():
    n = 0
    print('talk: line by line')
    while True:
        try:
            line = input('you> ')
        except EOFError:
            return
        print('amy: ' + reply(n, line))
        n += 1


class Screen:
    def __init__(self):
        self.rows, self.cols = 24, 80
        self.messages = []
        self.line = ''
        self.at = 0

    def put(self, text):
        os.write(1, text.encode())

    def draw(self):
        out = ['\033[?25l']
        shown = self.messages[-(self.rows - 2):]
        for y in range(self.rows - 2):
            text = shown[y] if y < len(shown) else ''
            out.append('\033[%d;1H\033[K%s' % (y + 1, text[:self.cols - 1]))
        out.append('\033[%d;1H\033[7m [#rmux] %d messages\033[K\033[m' %
                   (self.rows - 1, len(self.messages)))
        self.put(''.join(out))
        self.prompt()

    def prompt(self):
        self.put('\033[%d;1H\033[K> %s\033[%d;%dH\033[?25h' % (
            self.rows, self.line[-(self.cols - 4):], self.rows,
            3 + min(self.at, self.cols - 4)))

    def enter(self):
        if self.line:
            n = len(self.messages)
            self.messages.append('<me> ' + self.line)
            self.messages.append('<amy> ' + reply(n // 2, self.line))
        self.line, self.at = '', 0
        self.draw()

    def key(self, k):
        if k == '\r':
            self.enter()
            return
        if k in '\x7f\x08':
            if self.at:
                self.line = self.line[:self.at - 1] + self.line[self.at:]
                self.at -= 1
        elif k == '\033[D':
            self.at = max(0, self.at - 1)
        elif k == '\033[C':
            self.at = min(len(self.line), self.at + 1)
        elif k == '\x01':
            self.at = 0
        elif k == '\x05':
            self.at = len(self.line)
        elif k == '\x15':
            self.line, self.at = '', 0
        elif k >= ' ':
            end = self.at == len(self.line)
            self.line = self.line[:self.at] + k + self.line[self.at:]
            self.at += 1
            if end and len(self.line) < self.cols - 4:
                self.put(k)
                return
        self.prompt()


def keys(data):
    """Split input into keys; keep an incomplete key for the next read."""
    while data:
        if data[0] == '\033':
            if len(data) < 3:
                return data
            yield data[:3]
            data = data[3:]
        else:
            yield data[0]
            data = data[1:]
    return ''


def screen():
    old = termios.tcgetattr(0)
    tty.setraw(0)
    s = Screen()
    s.put('\033[?1049h')
    s.draw()
    try:
        while True:
            data = os.read(0, 1024).decode('utf-8', 'replace')
            if not data or '\x04' in data:
                return
            for k in keys(data):
                s.key(k)
    finally:
        s.put('\033[?1049l')
        termios.tcsetattr(0, termios.TCSADRAIN, old)


if __name__ == '__main__':
    lines() if sys.argv[1:] == ['lines'] else screen()
