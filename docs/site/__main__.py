"""`python -m docs.site` builds the documentation site; any warning, such as a broken link, is an error.

With `--demo` the site also has the standings and the replays of the example contest, and is in a folder of its own.
"""

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main

from docs.site.demo import export_demo

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOCUMENTS = ROOT / "build/docs"
WITH_DEMO = ROOT / "build/site"

if __name__ == "__main__":
    out = DOCUMENTS
    if sys.argv[1:] == ["--demo"]:
        out = WITH_DEMO
        shutil.rmtree(out, ignore_errors=True)
        export_demo(out / "demo")
    code = main(["-W", "--keep-going", "-q", "-E", "-c", str(HERE), str(ROOT), str(out)])
    if not code:
        print(out / "index.html")
    raise SystemExit(code)
