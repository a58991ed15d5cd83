"""Declares only once the pipe `awake` reports that the burning bot was stopped and woken."""

from bourre import Bot, View, run


class Waiter(Bot):
    def declare(self, view: View) -> bool:
        with open("awake", "rb", buffering=0) as awake:
            return bool(awake.read(1))


if __name__ == "__main__":
    run(Waiter)
