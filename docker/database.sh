#!/bin/sh
# Serves PostgreSQL from /data. In an empty volume, it first makes a database that the role `bourre` owns, with the
# password that the first start of the ladder wrote. A half made one is made again.
set -eu
PATH="$(echo /usr/lib/postgresql/*/bin):$PATH"
until [ -s /keys/database/password ]; do sleep 1; done
if [ ! -d /data/main ]; then
  rm -rf /data/new
  initdb --pgdata=/data/new --username=postgres --auth-local=peer --auth-host=scram-sha-256 --data-checksums
  echo "host bourre bourre samenet scram-sha-256" >>/data/new/pg_hba.conf
  printf "%s\n" "CREATE ROLE bourre LOGIN PASSWORD '$(cat /keys/database/password)';" "CREATE DATABASE bourre OWNER bourre;" |
    postgres --single -D /data/new postgres >/dev/null
  mv /data/new /data/main
fi
exec postgres -D /data/main -c listen_addresses='*' -c unix_socket_directories=/tmp
