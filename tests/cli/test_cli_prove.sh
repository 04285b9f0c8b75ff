#!/bin/bash
# The whole line at 2 KiB with the reference's secrets and blinding: key, proof and verification. Slow.
# WEIR is the test build that takes r and s.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

unpack porep-2k-5/params.json "$DIR/params.json"
unpack porep-2k-5/params.vk "$DIR/key.vk"
unpack porep-2k-5/proof.json "$DIR/proof.json"
make_public "$DIR/public.json"
for f in c1.json c1-api.json c1-outer.json c1.bincode; do unpack "porep-2k-5/$f" "$DIR/$f"; done
value() { "$PYTHON" -c 'import json,sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$DIR/$1" "$2"; }
first() { "$PYTHON" -c 'import json,sys; print(json.load(open(sys.argv[1]))[sys.argv[2]][0])' "$DIR/proof.json" "$1"; }

# ---- key: the same bytes as the reference's
expect 0 "$WEIR" key make --circuit porep-2KiB --secrets "$DIR/params.json" --out "$DIR/keys" --json
is_json; says stdout '"unsafe": true'; says stderr "UNSAFE KEY"
NAME=$(echo "$DIR"/keys/v28-stacked-proof-of-replication-*.params)
KEY=$NAME
VK=${NAME%.params}.vk
CASES=$((CASES + 2))
[ "$(basename "$KEY")" = "v28-$(value params.json cache_identifier).params" ] || bad "name of the key"
[ "$(sha256sum <"$KEY" | cut -c -64)" = "$(value params.json params_sha256)" ] || bad "digest of the key"
same "$VK" "$DIR/key.vk"
expect 0 "$WEIR" key info "$KEY" --json --digest; is_json; says stdout '"porep-2KiB"'
says stdout "$(value params.json params_json_digest)"

# ---- proof with the reference's r and s: its bytes
expect 0 "$WEIR" prove porep --c1 "$DIR/c1-api.json" --key "$KEY" --vk "$DIR/key.vk" --out "$DIR/fixed.bin" \
    --test-r "$(first r)" --test-s "$(first s)"
says stdout "192 bytes, 1 partition, verified"; says stderr "prove"
same "$DIR/fixed.bin" "$VECTORS/porep-2k-5/proof-fixed-r-s.bin"
CASES=$((CASES + 1))
if grep -q $'\r' "$DIR/stderr"; then bad "$LAST: progress although nobody watches"; fi

# ---- native keys, imported and made: the same key but for the header, and the same proof
NATIVE=$DIR/made.weirkey
expect 0 "$WEIR" key make --circuit porep-2KiB --secrets "$DIR/params.json" --out "$NATIVE"
same "$DIR/made.vk" "$DIR/key.vk"
expect 0 "$WEIR" prove porep --c1 "$DIR/c1-api.json" --key "$NATIVE" --vk "$DIR/key.vk" --out "$DIR/native.bin" \
    --test-r "$(first r)" --test-s "$(first s)"
same "$DIR/native.bin" "$DIR/fixed.bin"
expect 0 "$WEIR" key import "$KEY" --out "$DIR/imported.weirkey" --digest "$(value params.json params_json_digest)" --json
is_json; says stdout "$(value params.json params_json_digest)"; says stderr "takes about"
tail -c +4097 "$NATIVE" >"$DIR/a"; tail -c +4097 "$DIR/imported.weirkey" >"$DIR/b"; same "$DIR/a" "$DIR/b"
rm "$DIR/a" "$DIR/b"
expect 0 "$WEIR" key check --key "$DIR/imported.weirkey" --digests-only; says stdout "porep-2KiB"
expect 0 "$WEIR" key info "$DIR/imported.weirkey"; says stdout "made for           porep-2KiB"
flip "$DIR/imported.weirkey" 700000000 "$DIR/flipped.weirkey"
expect 3 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$DIR/flipped.weirkey" --out "$DIR/wrong.bin"
says stderr "section "; says stderr "block "; absent "$DIR/wrong.bin"
rm "$NATIVE" "$DIR/imported.weirkey" "$DIR/flipped.weirkey"

# ---- proof with fresh blinding from another form of the file: other bytes, as valid
expect 0 "$WEIR" prove porep --c1 "$DIR/c1.bincode" --key "$KEY" --out "$DIR/proof.bin" --json; is_json
says stdout '"verified": true'
CASES=$((CASES + 1))
if cmp -s "$DIR/fixed.bin" "$DIR/proof.bin"; then bad "blinding is not fresh"; fi
expect 0 "$WEIR" verify porep --vk "$VK" --proof "$DIR/proof.bin" --public "$DIR/public.json"

# ---- Ctrl-C while proving: 130, nothing written
CASES=$((CASES + 1))
"$WEIR" prove porep --c1 "$DIR/c1-outer.json" --key "$KEY" --out "$DIR/stopped.bin" --threads 1 >"$DIR/stdout" 2>"$DIR/stderr" &
PID=$!
for _ in $(seq 600); do
    if grep -q "PoRep of" "$DIR/stderr"; then break; fi
    sleep 0.05
done
kill -TERM $PID
wait $PID
GOT=$?
LAST="prove, stopped"
[ $GOT = 130 ] || bad "stopped: exit code $GOT, not 130"
says stderr "stopping"
absent "$DIR/stopped.bin"

# ---- a key of which one point of l is another point of the curve: the proof is not delivered
"$PYTHON" - "$KEY" <<'PY'
import struct, sys
with open(sys.argv[1], "r+b") as f:
    f.seek(864)
    ic, = struct.unpack(">I", f.read(4))
    f.seek(868 + 96 * ic)
    h, = struct.unpack(">I", f.read(4))
    l = 868 + 96 * ic + 4 + 96 * h + 4
    f.seek(l)
    point = f.read(96)
    f.seek(l + 96)
    other = f.read(96)
    f.seek(l)
    f.write(other)
    assert point != other
PY
expect 7 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$KEY" --out "$DIR/wrong.bin"
says stderr "does not verify"; says stderr "key check"; absent "$DIR/wrong.bin"

finish
