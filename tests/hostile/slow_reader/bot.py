"""Opens a window of no bytes: the referee may say nothing to it, and waits with every word."""

import signal

import frames
import rogue

WINDOW = 4

line = frames.connect()
line.sendall(frames.PREFACE + frames.setting(WINDOW, 0) + frames.headers(1))
line.sendall(frames.data(1, rogue.hello().SerializeToString()))
signal.pause()
