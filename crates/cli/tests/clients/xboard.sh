#!/usr/bin/env bash
# XBoard plays a game of 6x6 chess with `gamete engine` (CECP) on a screen that nobody sees: the engine moves, a person types
# a move, and the engine answers.
#
#     xboard.sh GAMETE [PICTURE]
#
# GAMETE is the program, PICTURE the file of the screenshot (xboard.png). It needs xboard, Xvfb, xdotool and imagemagick
# (Debian). It ends with 1 if the engine does not move, or if XBoard or the engine refuses something.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,8s/^# \?//p' "$0"; exit 2; }
gamete=$(realpath "$1") picture=$(realpath -m "${2:-xboard.png}")
PATH=$PATH:/usr/games
folder=$(mktemp -d)
export DISPLAY=:$((90 + $$ % 400)) HOME=$folder
Xvfb "$DISPLAY" -screen 0 800x700x24 >"$folder/xvfb" 2>&1 &
screen=$!
game=
trap 'kill $game $screen 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT

# Waits until XBoard's log has a number of lines that match.
await() {
  for _ in $(seq 300); do
    [ "$(grep -c -- "$2" "$log" 2>/dev/null || true)" -ge "$1" ] 2>/dev/null && return
    sleep 0.1
  done
  echo "\`$2\` did not come $1 times:" >&2
  grep ">first" "$log" >&2
  exit 1
}

log=$folder/log
sleep 1
xboard -variant gamete-minichess -fcp "$gamete engine champion:minichess,search=selective" -mode machineWhite \
  -st 0:01 -soundProgram '' -debug -nameOfDebugFile "$log" >"$folder/xboard" 2>&1 &
game=$!
await 1 '<first : setup (PNBR'
await 1 '<first : move '
# A person moves a pawn that can move, whatever the engine has done.
xdotool search --sync --onlyvisible --name . windowfocus >/dev/null 2>&1 || true
xdotool type --delay 50 a5a4
xdotool key Return
await 1 '>first : a5a4$'
await 2 '<first : move '
sleep 1
import -window root "$picture"
if grep -E '<first : (Error|Illegal|tellusererror)' "$log"; then exit 1; fi
moves=$(sed -n -E 's/.*(<first : move |>first : )([a-f][1-6][a-f][1-6])$/\2/p' "$log" | tr '\n' ' ')
echo "XBoard and the engine played ${moves}(picture: $picture)"
