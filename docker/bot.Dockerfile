# A bot: the SDK with its two libraries, and /bot for the bot's own files. From the root of the
# repository:  docker build -f docker/bot.Dockerfile -t bourre-bot .
# The referee gives BOURRE_ADDRESS and BOURRE_TOKEN; mount the bot at /bot and name its command.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS wheels
WORKDIR /source
RUN python3 -m venv /build
COPY requirements-build.lock requirements.lock ./
RUN /build/bin/python -m pip install --no-cache-dir --require-hashes -r requirements-build.lock \
 && /build/bin/python -m pip wheel --no-cache-dir --require-hashes --use-pep517 \
    --no-build-isolation --wheel-dir /wheels -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY sdk sdk
COPY referee referee
COPY examples examples
RUN /build/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
 && python3 -m venv /opt/bourre \
 && /opt/bourre/bin/python -m pip install --no-index --find-links /wheels bourre

FROM ${BASE}
RUN useradd --system --uid 10001 --user-group --no-create-home bourre
COPY --from=wheels /opt/bourre /opt/bourre
ENV PATH=/opt/bourre/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /bot
USER 10001:10001
CMD ["python", "bot.py"]
