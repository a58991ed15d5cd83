"""A fake module: a process that imports it says so and exits."""

import os
import sys

print("FALSE MODULE", os.path.basename(sys.argv[0]), flush=True)
os._exit(9)
