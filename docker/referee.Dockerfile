# The image for the referee: contests, ladders, their pages, workers and PostgreSQL. Run this from the root of the repository:
#   docker build -f docker/referee.Dockerfile -t bourre-referee .
#   docker run --user "$(id -u):$(id -g)" -v "$PWD:/contest" bourre-referee run contest.toml
# BASE is any Debian with Python 3.11 or newer among its packages.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS wheels
WORKDIR /source
# The compiler stays in this stage. The versions are Debian's current ones, as in the base image.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev python3-dev python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /build \
 && python3 -m venv --without-pip /opt/bourre
COPY requirements-build.lock ./
RUN /build/bin/python -m pip install --no-cache-dir --require-hashes -r requirements-build.lock
COPY pyproject.toml hatch_build.py compiling.py README.md LICENSE ./
COPY sdk sdk
COPY referee referee
COPY examples examples
COPY proto proto
RUN BOURRE_COMPILE=yes /build/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .
COPY requirements.lock ./
# pip tells what the extras need in the versions of requirements.lock; chosen.lock has these entries, with their hashes.
RUN sed -nE 's/^([a-z].*[^ \\]) *\\?$/\1/p' requirements.lock > constraints.txt \
 && /build/bin/python -m pip install --dry-run --ignore-installed --no-build-isolation --use-pep517 --quiet \
    --report chosen.json --constraint constraints.txt "$(echo /wheels/bourre-*.whl)[web,cluster,postgres]" \
 && /build/bin/python -c "import json, re; \
    [print(re.sub('[-_.]+', '-', found['metadata']['name']).lower()) for found in json.load(open('chosen.json'))['install']]" \
    > chosen.txt \
 && awk 'NR == FNR { chosen[$1]; next } /^[a-z]/ { split($1, name, "=="); kept = name[1] in chosen } kept' \
    chosen.txt requirements.lock > chosen.lock \
 && /build/bin/python -m pip wheel --no-cache-dir --no-deps --require-hashes --use-pep517 --no-build-isolation \
    --wheel-dir /wheels -r chosen.lock \
 && /build/bin/python -m pip --python /opt/bourre/bin/python install --no-deps --no-index /wheels/*.whl \
 && /opt/bourre/bin/bourre --version

FROM ${BASE}
# A new volume takes the owner of the folder where it is mounted.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends bubblewrap python3 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --no-create-home bourre \
 && install --directory --owner=bourre --group=bourre /runs \
    /keys/database /keys/cluster /keys/door /keys/guest
COPY --from=wheels /opt/bourre /opt/bourre
ENV PATH=/opt/bourre/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /contest
USER 10001:10001
ENTRYPOINT ["bourre"]
CMD ["--help"]
