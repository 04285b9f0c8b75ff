#!/bin/bash
# Native keys: info, check, import refused early. MAKE_NATIVE is the program that imports the small reference key, whose circuit the
# command itself does not have.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

unpack groth16-small/mini.params "$DIR/mini.params"
unpack groth16-small/mini.vk "$DIR/mini.vk"
unpack porep-2k-5/c1-api.json "$DIR/c1.json"
unpack porep-2k-5/params.vk "$DIR/key.vk"
K=$DIR/mini.weirkey
expect 0 "$MAKE_NATIVE" "$DIR/mini.params" "$K"
SIZE=$(stat -c %s "$K")

# ---- help and wrong use
expect 0 "$WEIR" key import --help; says stdout "Usage: weir key import FILE.params"; says stdout "--unpublished"; silent stderr
expect 2 "$WEIR" key import; says stderr "needs FILE.params"
expect 2 "$WEIR" key imprt x; says stderr "did you mean 'weir key import'"
expect 2 "$WEIR" key check --key "$DIR/mini.params" --digests-only; says stderr "only a native key has"

# ---- info and check
expect 0 "$WEIR" key info "$K"
says stdout "proving key (native)"; says stdout "made for           mini"; says stdout "20f1620a6408644e9d9a9fba343cf8f5"
says stdout "none of Filecoin's keys"
expect 0 "$WEIR" key info "$K" --json --digest; is_json
says stdout '"digest": "20f1620a6408644e9d9a9fba343cf8f5"'; says stdout '"l_dense": 6'; says stdout '"published": null'
expect 0 "$WEIR" key info "$DIR/mini.params" --digest; says stdout "20f1620a6408644e9d9a9fba343cf8f5"
expect 0 "$WEIR" key check --key "$K" --vk "$DIR/mini.vk"; says stdout "Every point: curve"
expect 0 "$WEIR" key check --key "$K" --digests-only --json; is_json; says stdout '"points_checked": false'
expect 3 "$WEIR" key check --key "$K" --vk "$DIR/key.vk"; says stderr "is not the verifying key"
expect 3 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$K" --out "$DIR/out.bin"
says stderr "not of porep-2KiB"; absent "$DIR/out.bin"

# ---- damaged and cut: found, by each way of checking, with file and place
for at in 20 100 300 4070 5000 8200 13000 17000 30000 $((SIZE - 1)); do
    flip "$K" "$at" "$DIR/flipped.weirkey"
    for how in "--digests-only" ""; do
        # shellcheck disable=SC2086
        expect 3 "$WEIR" key check --key "$DIR/flipped.weirkey" $how
        says stderr "$DIR/flipped.weirkey: "; says stderr "byte"; silent stdout
    done
done
flip "$K" 9 "$DIR/flipped.weirkey"
expect 2 "$WEIR" key check --key "$DIR/flipped.weirkey"; says stderr "version 257"
for at in 8 100 4096 5000 20000 $((SIZE - 1)); do
    cut_file "$K" "$at" "$DIR/cut.weirkey"
    for c in "key info" "key check --key"; do
        # shellcheck disable=SC2086
        expect 3 "$WEIR" $c "$DIR/cut.weirkey"; says stderr "$DIR/cut.weirkey: "; says stderr "byte "
    done
done

# ---- imports that are refused before there is an output
expect 6 "$WEIR" key import "$DIR/missing"; says stderr "No such file"
expect 2 "$WEIR" key import "$K"; says stderr "is a native key already"
expect 3 "$WEIR" key import "$DIR/key.vk"
expect 3 "$WEIR" key import "$DIR/mini.params" --unpublished --out "$DIR/new.weirkey"
says stderr "no Filecoin circuit"; absent "$DIR/new.weirkey"
for at in 0 500 1300 7127; do
    cut_file "$DIR/mini.params" "$at" "$DIR/cut.params"
    expect 3 "$WEIR" key import "$DIR/cut.params" --unpublished; says stderr "$DIR/cut.params: byte "
    absent "$DIR/cut.weirkey.tmp"
done

# ---- files with the counts of published circuits, and points that are none: a sparse file is enough
sparse() { # NAME IC H L A B
    "$PYTHON" - "$DIR/$1" "$DIR/mini.vk" "${@:2}" <<'PY'
import struct, sys
path, vk = sys.argv[1:3]
ic, h, l, a, b = map(int, sys.argv[3:])
key = open(vk, "rb").read()
with open(path, "wb") as f:
    f.write(key[:864] + struct.pack(">I", ic) + key[868:964] * ic)
    for n, size in ((h, 96), (l, 96), (a, 96), (b, 96), (b, 192)):
        f.write(struct.pack(">I", n))
        f.seek(n * size, 1)
    f.truncate(f.tell())
PY
}
sparse winning.params 133 131071 91674 69433 66793
expect 2 "$WEIR" key import "$DIR/winning.params" --out "$DIR/w.weirkey"; says stderr "winning-post-2KiB"; absent "$DIR/w.weirkey"
sparse four.params 40 4194303 2786423 2773198 716040
expect 2 "$WEIR" key import "$DIR/four.params"; says stderr "published no key of porep-4KiB"; says stderr "--unpublished"
absent "$DIR/four.weirkey"
D=00112233445566778899aabbccddeeff
expect 2 "$WEIR" key import "$DIR/four.params" --digest $D --unpublished; says stderr "one of --digest"
expect 2 "$WEIR" key import "$DIR/four.params" --digest 12; says stderr "32 hexadecimal digits"
expect 2 "$WEIR" key import "$DIR/four.params" --digest $D --out "$DIR/four.params"; says stderr "is to be read"
expect 6 "$WEIR" key import "$DIR/four.params" --digest $D --out "$DIR/no/such"; says stderr "no file can be made"
# its points are zeros: refused at the first one
expect 3 "$WEIR" key import "$DIR/four.params" --digest $D
says stderr "$DIR/four.params: byte 4712, section h, point 0: "; says stderr "takes about"; absent "$DIR/four.weirkey"
sparse two.params 40 4194303 2685673 2674948 685522
expect 3 "$WEIR" key import "$DIR/two.params" --out "$DIR/two.weirkey"
says stderr "434fb1338ecfaf0f59256f30dde4968f"; says stderr "section h, point 0"; absent "$DIR/two.weirkey"

finish
