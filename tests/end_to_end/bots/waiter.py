"""Does not declare before it hears through the pipe `awake` that the bot which burns was stopped and woken."""

from bourre import Bot, View, run


class Waiter(Bot):
    def declare(self, view: View) -> bool:
        with open("awake", "rb", buffering=0) as awake:
            return bool(awake.read(1))


if __name__ == "__main__":
    run(Waiter)
