# The image that bots run in: Python, gRPC, protobuf and the SDK, nothing else. From the root of the repository:
#   podman build -f docker/bot.Dockerfile -t bourre-bot .
# For bots that need more, begin your own image with `FROM bourre-bot`, and name it in the contest file.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS libraries
WORKDIR /source
COPY requirements.lock ./
# Only the entries of the lock for a bot's dependencies, with their hashes.
RUN python3 -m venv --without-pip /opt/bourre \
 && python3 -m venv /build \
 && awk '/^[a-z]/ { kept = /^(grpcio|protobuf|typing-extensions)==/ } kept' requirements.lock > bot.lock \
 && /build/bin/python -m pip --python /opt/bourre/bin/python install \
    --no-cache-dir --require-hashes --only-binary :all: -r bot.lock
COPY sdk/bourre sdk/bourre
RUN /build/bin/python -c "import pathlib, shutil; shutil.copytree('sdk/bourre', \
    next(pathlib.Path('/opt/bourre/lib').glob('python3*')) / 'site-packages' / 'bourre')" \
 && /opt/bourre/bin/python -m compileall -q /opt/bourre/lib

FROM ${BASE}
COPY --from=libraries /opt/bourre /opt/bourre
ENV PATH=/opt/bourre/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /bot
USER 65534:65534
CMD ["python3", "bot.py"]
