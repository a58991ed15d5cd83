# The image for bots: Python, gRPC, protobuf and the SDK. Run this from the root of the repository:
#   podman build -f docker/bot.Dockerfile -t bourre-bot .
# If your bots need more, begin your own image with `FROM bourre-bot`, and set it in the contest file.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS libraries
WORKDIR /source
# The compiler stays in this stage. Its version is Debian's current one, as in the base image.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv --without-pip /opt/bourre \
 && python3 -m venv /build
COPY requirements-build.lock requirements.lock ./
# bot.lock has the entries for a bot's dependencies, with their hashes.
RUN awk '/^[a-z]/ { kept = /^(grpcio|protobuf|typing-extensions)==/ } kept' requirements.lock > bot.lock \
 && /build/bin/python -m pip --python /opt/bourre/bin/python install \
    --no-cache-dir --require-hashes --only-binary :all: -r bot.lock \
 && /build/bin/python -m pip install --no-cache-dir --require-hashes -r requirements-build.lock
COPY pyproject.toml hatch_build.py compiling.py README.md LICENSE ./
COPY sdk sdk
COPY referee referee
COPY examples examples
COPY proto proto
# Only the SDK is copied from the wheel.
RUN BOURRE_COMPILE=yes /build/bin/python -m pip install --no-deps --no-build-isolation --target /wheel . \
 && /build/bin/python -c "import pathlib, shutil; \
    site = next(pathlib.Path('/opt/bourre/lib').glob('python3*')) / 'site-packages'; \
    [shutil.copytree(f'/wheel/{package}', site / package) for package in ('bourre', 'bourre_lab', 'bourre_seats')]" \
 && /opt/bourre/bin/python -m compileall -q /opt/bourre/lib

FROM ${BASE}
COPY --from=libraries /opt/bourre /opt/bourre
ENV PATH=/opt/bourre/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /bot
USER 65534:65534
CMD ["python3", "bot.py"]
