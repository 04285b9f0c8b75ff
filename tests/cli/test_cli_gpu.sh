#!/bin/bash
# The 2 KiB line on a GPU: the reference's bytes with its blinding, with the key on the device and streamed in pieces; refusals.
# WEIR is the test build that takes r and s. Where there is no GPU: only what the command says then.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

unpack porep-2k-5/params.json "$DIR/params.json"
unpack porep-2k-5/proof.json "$DIR/proof.json"
unpack porep-2k-5/c1.json "$DIR/c1.json"
first() { "$PYTHON" -c 'import json,sys; print(json.load(open(sys.argv[1]))[sys.argv[2]][0])' "$DIR/proof.json" "$1"; }

# ---- what can be said before a GPU is needed
for bad in "--device gpux" "--device gpu:x" "--device cpu --budget-device 1GiB" "--budget-device lots"; do
    # shellcheck disable=SC2086
    expect 2 "$WEIR" prove porep --c1 "$DIR/c1.json" --key none.params $bad
done
expect 2 "$WEIR" bench device --device cpu
expect 2 "$WEIR" bench device --kind nothing; says stderr "partition"
expect 2 "$WEIR" bench device --log-size 20; says stderr "--kind"

"$WEIR" bench device --kind fields --runs 1 >"$DIR/stdout" 2>"$DIR/stderr"
GOT=$?
if [ $GOT != 0 ]; then
    LAST="bench device"
    if grep -q "without CUDA" "$DIR/stderr"; then
        [ $GOT = 2 ] || bad "bench device without CUDA: exit code $GOT"
    else
        [ $GOT = 5 ] || bad "bench device without a GPU: exit code $GOT"
        says stderr "GPU"
    fi
    [ "$FAILED" = 0 ] || finish
    echo "skipped: no GPU ($(head -c 200 "$DIR/stderr"))"
    exit 77
fi

expect 0 "$WEIR" key make --circuit porep-2KiB --secrets "$DIR/params.json" --out "$DIR/keys"
KEY=$(echo "$DIR"/keys/*.params)
# proof PLAN OPTIONS...: the reference's bytes
proof() {
    local plan=$1
    shift
    expect 0 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$KEY" --out "$DIR/gpu.bin" --test-r "$(first r)" --test-s "$(first s)" "$@"
    says stderr "key $plan"
    same "$DIR/gpu.bin" "$VECTORS/porep-2k-5/proof-fixed-r-s.bin"
    rm -f "$DIR/gpu.bin"
}
proof resident --device gpu
proof resident
proof streamed --device gpu --budget-device 700MiB
proof small --device gpu --budget-device 300MiB
expect 4 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$KEY" --out "$DIR/gpu.bin" --device gpu --budget-device 10MiB
says stderr "budget"
# with auto the CPU takes over, and says why
expect 0 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$KEY" --out "$DIR/cpu.bin" --budget-device 10MiB --json
is_json; says stdout '"device": "CPU"'; says stderr "The CPU is used"
expect 2 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$KEY" --device gpu:99

for k in "msm --log-size 12" "bits --log-size 14" "ntt --log-size 12" "quotient --log-size 12"; do
    # shellcheck disable=SC2086
    expect 0 "$WEIR" bench device --kind $k --runs 1 --json; is_json
done
finish
