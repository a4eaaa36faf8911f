"""Plots as SVG, with nothing but the standard library.

    cdf(PATH, TITLE, {NAME: VALUES}, unit)        shares of values below x
    lines(PATH, TITLE, {NAME: [(x, y)]}, ...)     curves
    bars(PATH, TITLE, {NAME: VALUE}, unit)        one bar a name
"""
import math
from xml.sax.saxutils import escape

W, H = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 70, 60
# A system has the same colour in every plot; a new one takes the next colour.
SYSTEMS = {'rmux': '#d62728', 'tmux': '#2ca02c', 'screen': '#ff7f0e',
           'mosh': '#1f77b4', 'bare': '#7f7f7f', 'libvterm': '#9467bd',
           'ssh': '#8c564b', 'ssh-C': '#e377c2'}
COLOURS = ('#1f77b4', '#d62728', '#2ca02c', '#ff7f0e', '#9467bd', '#8c564b')


class Plot:
    def __init__(self, title):
        self.parts = [
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
            'viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' %
            (W, H, W, H),
            '<rect width="100%" height="100%" fill="white"/>']
        self.text(W / 2, 22, title, 'middle', 15)

    def text(self, x, y, s, anchor='start', size=12, turn=False):
        self.parts.append(
            '<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d"%s>%s'
            '</text>' % (x, y, anchor, size, ' transform="rotate(-90 %.1f '
                         '%.1f)"' % (x, y) if turn else '', escape(s)))

    def line(self, x0, y0, x1, y1, colour='#ccc', width=1):
        self.parts.append(
            '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" '
            'stroke-width="%g"/>' % (x0, y0, x1, y1, colour, width))

    def path(self, points, colour, dash=False):
        d = 'M' + 'L'.join('%.1f %.1f' % p for p in points)
        self.parts.append(
            '<path d="%s" fill="none" stroke="%s" stroke-width="2"%s/>' %
            (d, colour, ' stroke-dasharray="6 4"' if dash else ''))

    def legend(self, names):
        """Above the curves, so that it hides none: three in a row."""
        for i, (name, colour, dash) in enumerate(names):
            x = LEFT + i % 3 * 213
            y = 44 + i // 3 * 16
            self.path([(x, y - 4), (x + 22, y - 4)], colour, dash)
            self.text(x + 26, y, name, size=11)

    def write(self, path):
        with open(path, 'w', encoding='utf-8') as f:
            f.write('\n'.join(self.parts + ['</svg>', '']))


def ticks(low, high, log):
    if log:
        out, e = [], math.floor(math.log10(low))
        while 10 ** e <= high * 1.0001:
            out += [m * 10 ** e for m in (1, 2, 5)
                    if low <= m * 10 ** e <= high * 1.0001]
            e += 1
        return out
    step = 10 ** math.floor(math.log10((high - low) / 4 or 1))
    for m in (1, 2, 5, 10):
        if (high - low) / (step * m) <= 8:
            step *= m
            break
    first = math.ceil(low / step) * step
    return [first + i * step for i in range(int((high - first) / step) + 1)]


class Axes:
    def __init__(self, plot, xs, ys, logx=False, logy=False, xname='',
                 yname=''):
        self.x, self.y, self.logx, self.logy = xs, ys, logx, logy
        for v in ticks(*xs, logx):
            px, _ = self.at(v, ys[0])
            plot.line(px, TOP, px, H - BOTTOM)
            plot.text(px, H - BOTTOM + 16, '%g' % v, 'middle')
        for v in ticks(*ys, logy):
            _, py = self.at(xs[0], v)
            plot.line(LEFT, py, W - RIGHT, py)
            plot.text(LEFT - 6, py + 4, '%g' % round(v, 6), 'end')
        plot.text((LEFT + W - RIGHT) / 2, H - 18, xname, 'middle')
        plot.text(18, (TOP + H - BOTTOM) / 2, yname, 'middle', turn=True)

    def at(self, x, y):
        def share(v, lim, log):
            if log:
                v, lim = math.log(max(v, lim[0])), [math.log(e) for e in lim]
            return (v - lim[0]) / (lim[1] - lim[0] or 1)
        return (LEFT + share(x, self.x, self.logx) * (W - LEFT - RIGHT),
                H - BOTTOM - share(y, self.y, self.logy) *
                (H - TOP - BOTTOM))


def colour_of(name, colours):
    """The colour of the system that NAME begins with, kept in COLOURS."""
    key = name.split(',')[0].split('+')[0].split(' ')[0]
    if key not in colours:
        colours[key] = SYSTEMS.get(key, COLOURS[len(colours) % len(COLOURS)])
    return colours[key]


def styles(names):
    """Names that begin alike share a colour; the second one is dashed."""
    out, colours, seen = [], {}, {}
    for name in names:
        colour = colour_of(name, colours)
        seen[colour] = seen.get(colour, 0) + 1
        out.append((name, colour, seen[colour] == 2))
    return out


def cdf(path, title, values, unit='ms from key to screen'):
    values = {k: sorted(v) for k, v in values.items() if v}
    if not values:
        return
    plot = Plot(title)
    high = max(v[min(int(len(v) * .995), len(v) - 1)]
               for v in values.values())
    axes = Axes(plot, (.1, max(high, 10)), (0, 1), logx=True, xname=unit,
                yname='share of keys answered')
    names = styles(sorted(values))
    for name, colour, dash in names:
        v = values[name]
        points = [axes.at(.1, 0)]
        step = max(1, len(v) // 400)
        for i in list(range(0, len(v), step)) + [len(v) - 1]:
            points.append(axes.at(min(max(v[i], .1), axes.x[1]),
                                  (i + 1) / len(v)))
        plot.path(points, colour, dash)
    plot.legend(names)
    plot.write(path)


def lines(path, title, curves, xname='', yname='', logx=False, logy=False):
    points = [p for c in curves.values() for p in c]
    if not points:
        return
    plot = Plot(title)
    xs = (min(p[0] for p in points), max(p[0] for p in points))
    low = min(p[1] for p in points) * .9 if logy else 0
    ys = (low, max(p[1] for p in points) * 1.05)
    axes = Axes(plot, xs, ys, logx, logy, xname, yname)
    names = styles(sorted(curves))
    for name, colour, dash in names:
        plot.path([axes.at(*p) for p in sorted(curves[name])], colour, dash)
    plot.legend(names)
    plot.write(path)


def bars(path, title, values, unit=''):
    values = {k: v for k, v in values.items() if v is not None}
    if not values:
        return
    plot = Plot(title)
    high = max(values.values()) or 1
    top = 40
    step = (H - top - BOTTOM) / len(values)
    colours = {}
    for i, (name, v) in enumerate(values.items()):
        y = top + i * step
        w = v / high * (W - 330)
        plot.parts.append(
            '<rect x="220" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' %
            (y + 2, w, max(step - 4, 1), colour_of(name.split(' ')[-1], colours)))
        plot.text(214, y + step / 2 + 4, name, 'end', 11)
        plot.text(226 + w, y + step / 2 + 4, '%.4g %s' % (v, unit), size=11)
    plot.write(path)
