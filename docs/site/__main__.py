"""`python -m docs.site` builds the documentation site; any warning, such as a broken link, is an error."""

from pathlib import Path

from sphinx.cmd.build import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OUT = ROOT / "build/docs"

if __name__ == "__main__":
    code = main(["-W", "--keep-going", "-q", "-E", "-c", str(HERE), str(ROOT), str(OUT)])
    if not code:
        print(OUT / "index.html")
    raise SystemExit(code)
