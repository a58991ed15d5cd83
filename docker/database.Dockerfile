# The image for the database of compose.yaml: Debian's PostgreSQL, which runs without root and writes only to /data.
#   docker build -f docker/database.Dockerfile -t bourre-database .
ARG BASE=debian:bookworm-slim

FROM ${BASE}
# The user may read what the referee's image writes into a shared volume.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends postgresql-common \
 && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf \
 && apt-get install --yes --no-install-recommends postgresql \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --no-create-home bourre \
 && install --directory --owner=bourre --group=bourre --mode=0700 /data /keys/database
COPY docker/database.sh /usr/local/bin/database
ENV LANG=C.UTF-8
USER 10001:10001
STOPSIGNAL SIGINT
ENTRYPOINT ["sh", "/usr/local/bin/database"]
