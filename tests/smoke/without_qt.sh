#!/usr/bin/env bash
# without_qt.sh LAPBENCH_CLI: the command line needs no Qt, and it loads its own built-in server exactly.
set -euo pipefail
cli=$1

if ldd "$cli" | grep -i 'libqt'; then
    echo "lapbench-cli links Qt" >&2
    exit 1
fi

folder=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$folder"
}
trap finish EXIT

"$cli" serve --port 0 >"$folder/served" &
server=$!
url=
for _ in $(seq 200); do
    url=$(grep -o 'http://127\.0\.0\.1:[0-9]*' "$folder/served" | head -n 1 || true)
    [ -z "$url" ] || break
    kill -0 "$server"
    sleep 0.05
done
[ -n "$url" ] || { echo "serve did not say where it listens" >&2; exit 1; }

"$cli" load "$url/" -c 4 -n 1000 --json "$folder/trial.json" --quiet
grep -Eq '"ok": *1000\b' "$folder/trial.json"

# The server's own count, read through bash so that no other program is needed.
port=${url##*:}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /count HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&3
count=$(tr -d '\r' <&3 | tail -n 1)
exec 3>&-
if [ "$count" != 1000 ]; then
    echo "the server counted '$count' requests, not 1000" >&2
    exit 1
fi
