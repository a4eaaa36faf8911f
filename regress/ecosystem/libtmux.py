"""What scripts do with libtmux: sessions, windows, panes, options, hooks."""
import time

import libtmux
from libtmux.constants import PaneDirection

server = libtmux.Server(socket_name='eco')
print('alive', server.is_alive())
session = server.new_session(session_name='work', attach=False, window_name='main',
                             x=120, y=40, window_command='sh')
window = session.active_window
print(session.session_name, len(session.windows), window.window_name,
      window.window_index, window.window_width, window.window_height)
pane = window.active_pane
print(pane.pane_index, pane.pane_width, pane.pane_height)
right = window.split(direction=PaneDirection.Right, shell='sh')
right.send_keys('echo hello-$((40+2))', enter=True)
end = time.monotonic() + 10
while 'hello-42' not in right.capture_pane() and time.monotonic() < end:
    time.sleep(0.05)
print('hello-42' in right.capture_pane())
logs = session.new_window(window_name='logs', attach=False, window_shell='sh')
print(sorted(w.window_name for w in session.windows))
logs.rename_window('log2')
session.set_option('status-left', '[x]')
window.set_option('main-pane-width', 60)
print(session.show_option('status-left'), window.show_option('main-pane-width'))
window.select_layout('main-vertical')
window.refresh()
print(window.window_layout)
right.resize(width=30)
right.refresh()
print(right.pane_width)
session.rename_session('w2')
print(session.session_name, server.has_session('w2'), server.has_session('nope'))
session.set_environment('FOO', 'bar')
print(session.show_environment().get('FOO'), session.getenv('FOO'))
print(server.sessions.get(session_name='w2').session_name,
      [p.pane_index for p in server.panes.filter(pane_active='1')])
window.active_pane.split().kill()
print(len(window.panes))
logs.kill()
print(len(session.windows))
for call in (lambda: server.new_session(session_name='w2'),
             lambda: session.set_option('nope', '1'),
             lambda: server.cmd('no-such')):
    try:
        print(getattr(call(), 'stderr', None))
    except Exception as e:  # pylint: disable=broad-except
        print(type(e).__name__, e)
print(server.cmd('display-message', '-p',
                 '#{session_name}:#{window_index}.#{pane_index}').stdout)
server.kill()
print(server.is_alive())
