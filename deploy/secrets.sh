#!/bin/sh
# Makes the secrets of compose.site.yaml in deploy/secrets, each once: what is there stays. Keep secret_key apart from the backups.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
make() {
  [ -s "secrets/$1" ] && return 0
  umask 077
  printf '%s' "$2" >"secrets/$1"
}
random() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }
make secret_key "$(random)"
make metrics_token "$(random)"
make database_password "$(random)"
make database_url "postgres://convexa:$(cat secrets/database_password)@postgres:5432/convexa"
make store_access_key_id convexa
make store_secret_access_key "$(random)"
make store.env "ROOT_ACCESS_KEY_ID=$(cat secrets/store_access_key_id)
ROOT_SECRET_ACCESS_KEY=$(cat secrets/store_secret_access_key)
"
# The processes run as user 10001, and Compose keeps owner and mode of the files.
if [ "$(id -u)" = 0 ]; then chown 10001:10001 secrets/*; else chmod 444 secrets/*; fi
echo "secrets are in $(pwd)/secrets"
