"""Looks for a way to the outside network, and opens a port for anyone outside."""

import socket

import rogue

rogue.need_a_box()


def look() -> None:
    try:
        print("interfaces:", [name for _, name in socket.if_nameindex()])
    except OSError as error:
        print("interfaces:", error.strerror)
    for family, address in ((socket.AF_INET, ("192.0.2.1", 9)), (socket.AF_INET6, ("2001:db8::1", 9))):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as sender:
                sender.connect(address)  # an address for documentation: nothing is sent, only a route is looked up
                print("FOUND a route")
        except OSError as error:
            print(error.strerror)


rogue.attack_and_play(look)
