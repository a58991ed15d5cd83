"""Asks for its own namespaces, mounts, users and root folders."""

import ctypes
import os

import rogue

rogue.need_a_box()
libc = ctypes.CDLL(None, use_errno=True)
NAMESPACES = {"user": 0x10000000, "mount": 0x00020000, "process": 0x20000000, "network": 0x40000000}


def ask_for_powers() -> None:
    for name, flag in NAMESPACES.items():
        if libc.unshare(flag) == 0:
            print("FOUND a namespace:", name)
    if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0 or libc.umount2(b"/proc", 2) == 0:
        print("FOUND a mount")
    try:
        os.setuid(0)
        print("FOUND root")
    except OSError as error:
        print("root", error.strerror)
    try:
        os.chroot("/tmp")
        print("FOUND another root of files")
    except OSError as error:
        print("chroot", error.strerror)


rogue.attack_and_play(ask_for_powers)
