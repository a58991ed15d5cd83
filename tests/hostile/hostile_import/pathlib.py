"""A false module: whoever imports it tells, and ends."""

import os
import sys

print("FALSE MODULE", os.path.basename(sys.argv[0]), flush=True)
os._exit(9)
