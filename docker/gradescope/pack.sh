#!/usr/bin/env bash
# Makes the zip for Gradescope:  docker/gradescope/pack.sh grade.toml autograder.zip [STAFF_BOT...]
# The plan must be called grade.toml. Put your own reference bots next to it, and pass them too.
set -euo pipefail
if (($# < 2)) || [[ "$(basename "$1")" != grade.toml || ! -f "$1" ]]; then
  echo "usage: pack.sh .../grade.toml autograder.zip [STAFF_BOT...]" >&2
  exit 2
fi
plan="$(realpath "$1")" zip="$(realpath -m "$2")"
shift 2
added=()
for bot in "$@"; do added+=("--add-file=$(realpath "$bot")"); done
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
cd "$here/../.."
git archive --format=zip -o "$zip" \
  --add-file="$here/setup.sh" --add-file="$here/run_autograder" --add-file="$plan" "${added[@]}" \
  --prefix=bourre/ HEAD sdk referee examples proto pyproject.toml hatch_build.py compiling.py README.md LICENSE requirements.lock requirements-build.lock
echo "wrote $zip"
