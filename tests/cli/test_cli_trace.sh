#!/bin/bash
# weir trace: figures and pictures of a trace; files that are none. MAKE_TRACE is the program that writes one.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

T=$DIR/run.trace
expect 0 "$MAKE_TRACE" "$T" 15 10 1 2 12

# ---- help and wrong use
expect 0 "$WEIR" trace --help; says stdout "Usage: weir trace FILE [options]"; says stdout "  weir trace run.trace"; silent stderr
expect 0 "$WEIR" --help; says stdout "trace           where every second"
expect 2 "$WEIR" trace; says stderr "'weir trace' needs FILE"
expect 2 "$WEIR" trace "$T" b; says stderr "'b' is too much for 'weir trace'"
expect 2 "$WEIR" trace "$T" --hmtl x; says stderr "'weir trace' has no option --hmtl; did you mean --html?"
expect 2 "$WEIR" trcae "$T"; says stderr "did you mean 'weir trace'"
expect 2 "$WEIR" trace "$T" --from 1e3; says stderr "not a number of seconds"
expect 2 "$WEIR" trace "$T" --from -1; says stderr "not a number of seconds"
expect 2 "$WEIR" trace "$T" --from 20 --to 10; says stderr "nothing lies between second 20 and second 10"
expect 2 "$WEIR" trace "$T" --from 1000; says stderr "nothing lies between second 1000 and second its last"
expect 2 "$WEIR" trace --json; is_json; says stdout "WEIR_E_USAGE"

# ---- figures
expect 0 "$WEIR" trace "$T"; silent stderr
says stdout "15 jobs, 141 partitions, 7 lanes"
says stdout "device 0, beside"; says stdout "####"; says stdout "Pictures: --html"
says stdout "1. paused, device 0, job 6"
CASES=$((CASES + 1))
if LC_ALL=C grep -q '[^ -~]' "$DIR/stdout"; then bad "$LAST: more than ASCII although it is no terminal"; fi
CASES=$((CASES + 1))
if awk 'length > 80 { exit 1 }' "$DIR/stdout"; then :; else bad "$LAST: a line of over 80 columns"; fi
watched() { LC_ALL=C.UTF-8 script -qec "stty cols 120; $*" "$DIR/typescript"; }
expect 0 watched "$WEIR" trace "$T"; says stdout "█"
expect 0 "$WEIR" trace "$T" --from 10 --to 20.5; says stdout "10.50 s from 10.000 s"
expect 0 "$WEIR" trace "$T" --json; is_json; silent stderr
cp "$DIR/stdout" "$DIR/run.json"
CASES=$((CASES + 1))
"$PYTHON" - "$DIR/run.json" <<'PY' || bad "$LAST: figures do not fit together"
import json, sys
t = json.load(open(sys.argv[1]))
whole = t["to_s"] - t["from_s"]
assert t["ok"] and len(t["lanes"]) == 7 and len(t["jobs"]) == 15 and len(t["devices"]) == 1
assert abs(sum(k["own_s"] for k in t["kinds"]) + t["idle_s"] - 7 * whole) < 1e-3
assert abs(sum(l["work_s"] for l in t["lanes"]) - sum(k["own_s"] for k in t["kinds"] if not k["waits"])) < 1e-3
assert abs(t["lanes"][0]["work_s"] / whole - t["lanes"][0]["busy"]) < 1e-5
assert len(t["longest_waits"]) == 3 and t["longest_waits"][0]["kind"] == "paused"
assert sum(j["partitions"] for j in t["jobs"]) == 141 and t["devices"][0]["gaps_s"] > 0
PY

# ---- pictures
expect 0 "$WEIR" trace "$T" --html "$DIR/o.html" --svg "$DIR/o.svg" --chrome "$DIR/o.json"; silent stderr
says stdout "o.html: "; says stdout "o.svg: "; says stdout "o.json: "
expect 0 "$PYTHON" -m json.tool "$DIR/o.json"
expect 0 "$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$DIR/o.svg"
expect 0 grep -c "</html>" "$DIR/o.html"
expect 0 grep -c "<title>job 14, partition 9, device" "$DIR/o.svg"
expect 0 "$WEIR" trace "$T" --from 10 --to 20 --svg "$DIR/part.svg" --json; is_json
expect 1 grep -c "<title>job 14, " "$DIR/part.svg"
expect 0 "$WEIR" trace "$T" --chrome /dev/stdout; says stdout '"traceEvents"'
expect 6 "$WEIR" trace "$T" --svg "$DIR/no/such.svg"; says stderr "no/such.svg"
absent "$DIR/no"

# ---- what is no trace
expect 6 "$WEIR" trace "$DIR/missing"; says stderr "No such file"
expect 6 "$WEIR" trace "$DIR"; says stderr "not a regular file"
: >"$DIR/empty"
expect 3 "$WEIR" trace "$DIR/empty"; says stderr "$DIR/empty: byte 0: no trace of weir"; silent stdout
size=$(stat -c %s "$T")
for at in 9 13 17 24 41 500 $((size / 2)) $((size - 33)) $((size - 1)); do
    flip "$T" "$at" "$DIR/bad"
    "$WEIR" trace "$DIR/bad" >"$DIR/stdout" 2>"$DIR/stderr"
    got=$?
    LAST="trace of a file with byte $at changed"
    CASES=$((CASES + 1))
    [ "$got" = 3 ] || [ "$got" = 2 ] || bad "$LAST: exit code $got"
    says stderr "$DIR/bad: byte "
    cut_file "$T" "$at" "$DIR/bad"
    expect 3 "$WEIR" trace "$DIR/bad" --svg "$DIR/bad.svg"; says stderr "$DIR/bad: byte "; absent "$DIR/bad.svg"
done

# ---- a trace of nothing
expect 0 "$MAKE_TRACE" "$T" 0 1 1 1 1
expect 0 "$WEIR" trace "$T" --svg "$DIR/o.svg" --html "$DIR/o.html" --chrome "$DIR/o.json"
expect 0 "$WEIR" trace "$T"; says stdout "0 jobs"

finish
