#!/usr/bin/env bash
# Gradescope runs this once, with a network, when it builds the assignment's image. It installs everything that
# run_autograder needs later without a network. Choose an image of Ubuntu 24.04 or newer.
set -euo pipefail
autograder="${AUTOGRADER:-/autograder}"
source="$autograder/source/bourre"
bin="$autograder/bourre/bin"

if command -v apt-get >/dev/null && [[ "$(id -u)" == 0 ]]; then
  apt-get update -qq
  # Node.js runs submissions called bot.js; bubblewrap isolates submissions from this harness if the container allows it.
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    python3 python3-venv bubblewrap nodejs
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "setup.sh needs Python 3.11 or newer.\nhint: choose Ubuntu 24.04 as the image")'

python3 -m venv "$autograder/bourre"
"$bin/python" -m pip install --quiet --require-hashes -r "$source/requirements-build.lock"
# These are the versions that Bourré is tested with.
constraints="$(mktemp)"
sed -nE 's/^([A-Za-z0-9._-]+==.*[^ \\]) *\\?$/\1/p' "$source/requirements.lock" >"$constraints"
"$bin/python" -m pip install --quiet --no-build-isolation --use-pep517 -c "$constraints" "$source[referee]"
rm "$constraints"
"$bin/bourre" --version
