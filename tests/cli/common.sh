# For the scripts of this folder: a folder that goes away, expectations, and the vectors unpacked. No expectation ends
# the script; the count of those that failed is its exit code.
# shellcheck shell=bash
set -u
export WEIR=$1
VECTORS=$2
PYTHON=$3
DIR=$(mktemp -d "${TMPDIR:-/tmp}/weir-cli.XXXXXX")
trap 'rm -rf "$DIR"' EXIT
FAILED=0
CASES=0

bad() {
    FAILED=$((FAILED + 1))
    echo "FAILED: $*"
    echo "--- stdout"; head -c 2000 "$DIR/stdout"; echo "--- stderr"; head -c 2000 "$DIR/stderr"; echo "---"
}

# expect CODE COMMAND...: runs it, keeps stdout and stderr, compares the exit code
expect() {
    local want=$1 got
    shift
    CASES=$((CASES + 1))
    "$@" >"$DIR/stdout" 2>"$DIR/stderr" </dev/null
    got=$?
    LAST="$*"
    [ "$got" = "$want" ] || bad "$LAST: exit code $got, not $want"
}

# says FILE WORDS: stdout or stderr of the last command has these words
says() {
    CASES=$((CASES + 1))
    grep -qF -- "$2" "$DIR/$1" || bad "$LAST: $1 does not say '$2'"
}

# silent FILE: nothing on stdout or stderr
silent() {
    CASES=$((CASES + 1))
    [ ! -s "$DIR/$1" ] || bad "$LAST: something on $1"
}

# is_json: stdout is one JSON document
is_json() {
    CASES=$((CASES + 1))
    "$PYTHON" -m json.tool <"$DIR/stdout" >"$DIR/json" 2>"$DIR/json.err" || bad "$LAST: not JSON"
}

# absent FILE...: no such file, nor one under construction beside it
absent() {
    local f
    for f in "$@"; do
        CASES=$((CASES + 1))
        [ -z "$(find "$(dirname "$f")" -maxdepth 1 -name "$(basename "$f")*")" ] || bad "$LAST: left $f"
    done
}

same() {
    CASES=$((CASES + 1))
    cmp -s "$1" "$2" || bad "$LAST: $1 and $2 differ"
}

# unpack FOLDER/FILE TO
unpack() {
    if [ -f "$VECTORS/$1" ]; then cp "$VECTORS/$1" "$2"; else xz -dc "$VECTORS/$1.xz" >"$2"; fi
}

# cut FILE BYTES TO; flip FILE OFFSET TO: that byte changed
cut_file() { head -c "$2" "$1" >"$3"; }
flip() {
    "$PYTHON" - "$1" "$2" "$3" <<'PY'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
b[int(sys.argv[2])] ^= 1
open(sys.argv[3], "wb").write(b)
PY
}

# public.json of the sealed sector of the vectors
make_public() {
    unpack porep-2k-5/sector.json "$DIR/sector.json"
    "$PYTHON" - "$DIR/sector.json" "$1" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
keys = ["registered_proof", "prover_id", "sector_id", "ticket", "seed", "comm_d", "comm_r"]
json.dump({k: s[k] for k in keys}, open(sys.argv[2], "w"))
PY
}

finish() {
    echo "$CASES expectations, $FAILED failed"
    [ "$FAILED" = 0 ]
    exit
}
