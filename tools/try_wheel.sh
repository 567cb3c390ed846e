#!/bin/sh
# A wheel in an empty environment of some Python, with binary packages only: it plays, counts, thinks, lets bots
# meet and serves. usage: try_wheel.sh PYTHON WHEEL      such as: try_wheel.sh python3.14 dist/mbegu-*.whl
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" -m venv "$folder/venv"
bin=$folder/venv/bin
"$bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: "$2"
export MBEGU_DATA="$folder/data" MBEGU_CACHE="$folder/cache" MBEGU_LANG=en
"$bin/python" --version
printf 'C\nq\n' | "$bin/mbegu" play --plain oware --vs 10 | grep "North sows"
for game in oware kalah awale2 urubugu morabaraba; do
  echo "$game: $("$bin/mbegu" perft $game 4) sequences of four moves"
  "$bin/mbegu" analyse $game --depth 5 > "$folder/thought"
done
"$bin/mbegu" match oware level3 greedy --games 2 > "$folder/match"
"$bin/mbegu" serve --port 0 --no-browser --database "$folder/games.db" > "$folder/server" 2>&1 &
server=$!
until grep -q "http://" "$folder/server"; do kill -0 $server && sleep 0.2; done
"$bin/python" - "$(grep -o 'http://[^ ]*' "$folder/server" | head -1)" << 'END'
import sys, urllib.request

for page in ("", "api/v1/lessons/urubugu"):
    print(f"/{page} answers", urllib.request.urlopen(sys.argv[1] + page).status)
END
kill -INT $server
wait $server
echo "$1: the wheel plays, thinks and serves"
