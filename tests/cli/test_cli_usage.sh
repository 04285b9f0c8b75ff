#!/bin/bash
# Help, wrong use, exit codes, JSON, quiet progress. Needs no key.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# ---- help
expect 0 "$WEIR" --help; says stdout "verify  porep"; says stdout "Exit codes"; silent stderr
expect 0 "$WEIR" help
expect 2 "$WEIR"; says stderr "Usage: weir COMMAND"; silent stdout
expect 0 "$WEIR" --version; says stdout "weir 0."
expect 0 "$WEIR" key --help; says stdout "weir key     check"
for c in "prove porep" "verify porep" "check porep" "sample porep" "key make" "key import" "key check" "key info" "bench field" \
    "bench curve" "bench hash" "bench ntt" "bench msm" "bench verify" "bench proof" "bench fill" trace; do
    # shellcheck disable=SC2086
    expect 0 "$WEIR" $c --help
    says stdout "Usage: weir $c"; says stdout "Examples:"; says stdout "  weir $c"; silent stderr
done
expect 0 "$WEIR" verify porep --help; says stdout "proof bytes are no identity"

# ---- wrong use
expect 2 "$WEIR" prov porep; says stderr "did you mean 'weir prove porep'"; silent stdout
expect 2 "$WEIR" key mkae; says stderr "did you mean 'weir key make'"
expect 2 "$WEIR" key; says stderr "weir key --help"
expect 2 "$WEIR" zebra; says stderr "no command"
expect 2 "$WEIR" prove porep; says stderr "needs --c1 FILE"
expect 2 "$WEIR" prove porep --c1; says stderr "--c1 wants a value"
expect 2 "$WEIR" prove porep --c1 a --kye b; says stderr "did you mean --key"
expect 2 "$WEIR" prove porep --c1 a --key b --threads 0; says stderr "not between 1 and"
expect 2 "$WEIR" prove porep --c1 a --key b --threads two; says stderr "not a whole number"
expect 2 "$WEIR" check porep --c1 a b; says stderr "'b' is too much"
expect 2 "$WEIR" sample porep --seed 1 --out x; says stderr "--sector-size"
expect 2 "$WEIR" sample porep --sector-size 3KiB --seed 1 --out x; says stderr "512MiB, 1GiB, 32GiB"
expect 2 "$WEIR" sample porep --sector-size 4KiB --seed 1 --out x; says stderr "no registered proof"
expect 2 "$WEIR" sample porep --sector-size 2KiB --registered-proof StackedDrg8MiBV1 --seed 1 --out x
expect 2 "$WEIR" sample porep --registered-proof StackedDrg8MiBV2 --seed 1 --out x; says stderr "did you mean"
expect 2 "$WEIR" sample porep --registered-proof 13 --seed 1 --out "$DIR/x"; absent "$DIR/x"
expect 2 "$WEIR" sample porep --sector-size 2KiB --seed 1 --out x --format xml; says stderr "bincode"
expect 2 "$WEIR" key make --circuit porep-2KiB --out "$DIR/k"; says stderr "--secrets"
expect 2 "$WEIR" key make --circuit porep-2KiB --out "$DIR/k" --secrets a --insecure-seed 1; absent "$DIR/k"
expect 2 "$WEIR" key make --circuit winning-post-2KiB --out "$DIR/k" --insecure-seed 1; absent "$DIR/k"
expect 2 "$WEIR" verify porep --vk a --proof b; says stderr "--registered-proof, --prover-id, --sector, --ticket"
expect 2 "$WEIR" verify porep --vk a --proof b --public c --sector 1; says stderr "not both"
expect 2 "$WEIR" verify porep --vk a --proof b --seed 12; says stderr "64 hexadecimal digits"
expect 2 "$WEIR" check porep --json; is_json; says stdout '"error": "WEIR_E_USAGE"'; says stderr "weir: "

# ---- samples and their check, at 2 KiB: every form is the same input
for form in json api outer bincode; do
    expect 0 "$WEIR" sample porep --sector-size 2KiB --seed 5 --out "$DIR/c1.$form" --format $form
done
expect 0 "$WEIR" sample porep --sector-size 2KiB --seed 5 --out "$DIR/again" --public "$DIR/public.json"
same "$DIR/again" "$DIR/c1.api"
expect 0 "$PYTHON" -m json.tool "$DIR/public.json"; says stdout "StackedDrg2KiBV1_1"
for form in json api outer bincode; do
    expect 0 "$WEIR" check porep --c1 "$DIR/c1.$form" --threads 1
    says stdout "all 2687961 rows are satisfied"
    says stderr "build relation"
    CASES=$((CASES + 1))
    if grep -q $'\r' "$DIR/stderr"; then bad "$LAST: progress although nobody watches"; fi
    cp "$DIR/stdout" "$DIR/said.$form"
done
same "$DIR/said.api" "$DIR/said.outer"
expect 0 "$WEIR" check porep --c1 "$DIR/c1.api" --json --partition 0; is_json; silent stderr
says stdout '"satisfied": true'; says stdout '"cpu_s"'
expect 2 "$WEIR" check porep --c1 "$DIR/c1.api" --partition 1
for r in StackedDrg2KiBV1 10 15; do
    expect 0 "$WEIR" sample porep --registered-proof $r --seed 6 --out "$DIR/c1.r" --json; is_json
done
expect 0 "$WEIR" sample porep --sector-size 8MiB --seed 7 --out "$DIR/c1.8m"

# ---- a flipped bit: the place is named
"$PYTHON" - "$DIR/c1.api" "$DIR/c1.bad" <<'PY'
import json, sys
c = json.load(open(sys.argv[1]))
proofs = next(iter(c["vanilla_proofs"].values()))
proofs[0][1]["replica_column_proofs"]["drg_parents"][2]["column"]["rows"][0][3] ^= 4
json.dump(c, open(sys.argv[2], "w"))
PY
expect 1 "$WEIR" check porep --c1 "$DIR/c1.bad"
says stdout "NOT consistent: partition 0, challenge 1"
says stdout "challenge 1, column of DRG parent 2 and its inclusion in tree C"
expect 1 "$WEIR" check porep --c1 "$DIR/c1.bad" --json; is_json; says stdout '"satisfied": false'; says stdout '"row": '

# ---- output that has no place to go
expect 6 "$WEIR" sample porep --sector-size 2KiB --seed 1 --out "$DIR/no/such/folder"; says stderr "no file can be made"
mkdir "$DIR/folder"
expect 6 "$WEIR" sample porep --sector-size 2KiB --seed 1 --out "$DIR/folder"; says stderr "no regular file"
if [ -w /dev/full ]; then
    CASES=$((CASES + 1))
    "$WEIR" --help >/dev/full 2>"$DIR/stderr"
    [ $? = 6 ] || bad "help to a full device"
fi

# ---- on a terminal there is progress, but not with --json
watched() { script -qec "$*" "$DIR/typescript"; }
expect 0 watched "$WEIR" check porep --c1 "$DIR/c1.api"
CASES=$((CASES + 1))
grep -q $'\r.*checking partition 1 of 1' "$DIR/stdout" || bad "$LAST: no progress on a terminal"
expect 0 watched "$WEIR" sample porep --sector-size 2KiB --seed 1 --out "$DIR/x" --json
CASES=$((CASES + 1))
if grep -q $'\r.*native check\|\033' "$DIR/stdout"; then bad "$LAST: progress in JSON"; fi

finish
