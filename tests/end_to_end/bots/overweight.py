"""Says hello, then writes a file that is too large, without listening to the warning."""

import signal

from bourre import Bot, View, run


class Overweight(Bot):
    def declare(self, view: View) -> bool:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        with open("/tmp/large", "wb") as file:
            file.seek(1 << 40)
            file.write(b"x")
        return False


run(Overweight)
