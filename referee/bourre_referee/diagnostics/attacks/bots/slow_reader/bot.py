"""Opens a window of 0 bytes, so that the referee cannot send it anything and waits with every message."""

import signal

import frames
import rogue

WINDOW = 4

line = frames.connect()
line.sendall(frames.PREFACE + frames.setting(WINDOW, 0) + frames.headers(1))
line.sendall(frames.data(1, rogue.hello().SerializeToString()))
signal.pause()
