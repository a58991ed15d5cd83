# The image for the referee, with everything that a contest needs. Run this from the root of the repository:
#   docker build -f docker/referee.Dockerfile -t bourre-referee .
#   docker run --user "$(id -u):$(id -g)" -v "$PWD:/contest" bourre-referee run contest.toml
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS wheels
WORKDIR /source
# The compiler stays in this stage. Its version is Debian's current one, as in the base image.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /build
COPY requirements-build.lock requirements.lock ./
RUN /build/bin/python -m pip install --no-cache-dir --require-hashes -r requirements-build.lock \
 && /build/bin/python -m pip wheel --no-cache-dir --require-hashes --use-pep517 \
    --no-build-isolation --wheel-dir /wheels -r requirements.lock
COPY pyproject.toml hatch_build.py compiling.py README.md LICENSE ./
COPY sdk sdk
COPY referee referee
COPY examples examples
COPY proto proto
RUN BOURRE_COMPILE=yes /build/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
 && python3 -m venv /opt/bourre \
 && /opt/bourre/bin/python -m pip install --no-index --find-links /wheels "bourre[referee]"

FROM ${BASE}
RUN useradd --system --uid 10001 --user-group --no-create-home bourre \
 && install --directory --owner=bourre --group=bourre /runs
COPY --from=wheels /opt/bourre /opt/bourre
ENV PATH=/opt/bourre/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /contest
USER 10001:10001
ENTRYPOINT ["bourre"]
CMD ["--help"]
