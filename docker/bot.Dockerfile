# The image for bots: Python, gRPC, protobuf and the SDK. Run this from the root of the repository:
#   podman build -f docker/bot.Dockerfile -t bourre-bot .
# If your bots need more, begin your own image with `FROM bourre-bot`, and set it in the contest file.
# BASE is any Debian with Python 3.11 or newer among its packages, the same as the referee's.
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
# bot.lock has the entries for a bot's dependencies, with their hashes. Only the SDK is copied from the wheel.
RUN awk '/^[a-z]/ { kept = /^(grpcio|protobuf|typing-extensions)==/ } kept' requirements.lock > bot.lock \
 && /build/bin/python -m pip --python /opt/bourre/bin/python install \
    --no-cache-dir --require-hashes --only-binary :all: -r bot.lock \
 && /build/bin/python -m pip install --no-deps --no-index --target /wheel /wheels/bourre-*.whl \
 && /build/bin/python -c "import pathlib, shutil; \
    site = next(pathlib.Path('/opt/bourre/lib').glob('python3*')) / 'site-packages'; \
    [shutil.copytree(f'/wheel/{package}', site / package) for package in ('bourre', 'bourre_lab', 'bourre_seats')]" \
 && /opt/bourre/bin/python -m compileall -q /opt/bourre/lib

FROM ${BASE}
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=wheels /opt/bourre /opt/bourre
ENV PATH=/opt/bourre/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /bot
USER 65534:65534
CMD ["python3", "bot.py"]
