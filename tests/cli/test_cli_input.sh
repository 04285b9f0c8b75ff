#!/bin/bash
# Input that is missing, cut, wrong or of another sector: a message with file and place, the right exit code, no output
# file. And verification with the reference key and proof.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

unpack porep-2k-5/c1-api.json "$DIR/c1.json"
unpack porep-2k-5/c1.bincode "$DIR/c1.bin"
unpack porep-2k-5/params.vk "$DIR/key.vk"
cp "$VECTORS/porep-2k-5/proof-c2.bin" "$DIR/proof.bin"
make_public "$DIR/public.json"
: >"$DIR/empty"
printf 'nonsense' >"$DIR/nonsense"

# ---- files that are not there, empty, or something else
for c in "check porep --c1" "key info" "key check --key"; do
    # shellcheck disable=SC2086
    {
        expect 6 "$WEIR" $c "$DIR/missing"; says stderr "missing: "; says stderr "No such file"
        expect 6 "$WEIR" $c "$DIR"; says stderr "not a regular file"
        expect 3 "$WEIR" $c "$DIR/empty"; says stderr "$DIR/empty: "
        expect 3 "$WEIR" $c "$DIR/nonsense"; says stderr "$DIR/nonsense: "
        expect 3 "$WEIR" $c "$DIR/nonsense" --json; is_json; says stdout '"ok": false'
    }
done

# ---- C1, cut at many places, in both kinds of form
for f in c1.json c1.bin; do
    size=$(stat -c %s "$DIR/$f")
    for at in 1 7 8 9 31 100 1000 5000 $((size / 2)) $((size - 20)) $((size - 2)); do
        cut_file "$DIR/$f" "$at" "$DIR/cut"
        expect 3 "$WEIR" check porep --c1 "$DIR/cut"; says stderr "$DIR/cut: "; says stderr "byte "
    done
    cat "$DIR/$f" "$DIR/nonsense" >"$DIR/long"
    expect 3 "$WEIR" check porep --c1 "$DIR/long"; says stderr "byte "
done

# ---- a key that is cut, of the wrong kind, of another circuit
size=$(stat -c %s "$DIR/key.vk")
for at in 1 95 96 100 863 864 868 $((size - 1)); do
    cut_file "$DIR/key.vk" "$at" "$DIR/cut.vk"
    expect 3 "$WEIR" verify porep --vk "$DIR/cut.vk" --proof "$DIR/proof.bin" --public "$DIR/public.json"
    says stderr "$DIR/cut.vk: "; silent stdout
done
expect 3 "$WEIR" key check --key "$DIR/key.vk"
expect 3 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$DIR/key.vk" --out "$DIR/out.bin"; absent "$DIR/out.bin"
unpack groth16-small/mini.params "$DIR/mini.params"
unpack groth16-small/mini.vk "$DIR/mini.vk"
expect 3 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$DIR/mini.params" --out "$DIR/out.bin"
says stderr "not of porep-2KiB"; absent "$DIR/out.bin"
expect 3 "$WEIR" verify porep --vk "$DIR/mini.vk" --proof "$DIR/proof.bin" --public "$DIR/public.json"
says stderr "another circuit"
expect 0 "$WEIR" key info "$DIR/mini.params" --digest; says stdout "none of Filecoin's"
expect 0 "$WEIR" key info "$DIR/mini.params" --json; is_json
expect 0 "$WEIR" key info "$DIR/key.vk" --json --digest; is_json; says stdout "70b84e659994e03313f1c0ba224ae446"
expect 0 "$WEIR" key check --key "$DIR/mini.params" --vk "$DIR/mini.vk"; says stdout "Every point"
expect 3 "$WEIR" key check --key "$DIR/mini.params" --vk "$DIR/key.vk"; says stderr "is not the verifying key"
size=$(stat -c %s "$DIR/mini.params")
for at in 0 100 500 870 1300 $((size / 2)) $((size - 1)); do
    flip "$DIR/mini.params" "$at" "$DIR/flipped.params"
    expect 3 "$WEIR" key check --key "$DIR/flipped.params"; says stderr "$DIR/flipped.params"
    cut_file "$DIR/mini.params" "$at" "$DIR/cut.params"
    expect 3 "$WEIR" key check --key "$DIR/cut.params"; says stderr "$DIR/cut.params"
done

# ---- secrets
unpack porep-2k-5/params.json "$DIR/params.json"
printf '{"alpha": "0x1"}' >"$DIR/few.json"
expect 3 "$WEIR" key make --circuit porep-2KiB --secrets "$DIR/few.json" --out "$DIR/keys"; says stderr "$DIR/few.json: "
expect 6 "$WEIR" key make --circuit porep-2KiB --secrets "$DIR/missing" --out "$DIR/keys"; absent "$DIR/keys"
expect 6 "$WEIR" key make --circuit porep-2KiB --insecure-seed 1 --out "$DIR/nonsense/x"

# ---- an unsatisfied input is refused before the work
"$PYTHON" - "$DIR/c1.json" "$DIR/bad.json" <<'PY'
import json, sys
c = json.load(open(sys.argv[1]))
proofs = next(iter(c["vanilla_proofs"].values()))
proofs[0][0]["comm_d_proofs"]["data"]["Single"]["path"]["path"][3]["hashes"][0][0] ^= 1
json.dump(c, open(sys.argv[2], "w"))
PY
expect 3 "$WEIR" prove porep --c1 "$DIR/bad.json" --key "$DIR/mini.params" --out "$DIR/out.bin"
says stderr "partition 0, challenge 0"; absent "$DIR/out.bin"
expect 6 "$WEIR" prove porep --c1 "$DIR/c1.json" --key "$DIR/mini.params" --out "$DIR/no/out.bin"

# ---- verification: valid, not valid, could not be checked
verify() { "$WEIR" verify porep --vk "$DIR/key.vk" --proof "$1" --public "${2:-$DIR/public.json}" "${@:3}"; }
expect 0 verify "$DIR/proof.bin"; says stdout "valid: StackedDrg2KiBV1_1"; silent stderr
expect 0 verify "$DIR/proof.bin" "$DIR/public.json" --json; is_json; says stdout '"valid": true'
expect 0 verify "$VECTORS/porep-2k-5/proof-fixed-r-s.bin"
for at in 0 1 40 47 48 49 100 143 144 145 191; do
    flip "$DIR/proof.bin" "$at" "$DIR/flipped"
    expect 1 verify "$DIR/flipped"; says stdout "NOT valid"
done
expect 1 verify "$DIR/flipped" "$DIR/public.json" --json; is_json; says stdout '"valid": false'
for at in 0 1 191; do
    cut_file "$DIR/proof.bin" "$at" "$DIR/cut"
    expect 3 verify "$DIR/cut"; says stderr "192"; silent stdout
done
expect 6 verify "$DIR/missing"

# every public value matters
eval "$("$PYTHON" - "$DIR/public.json" "$DIR" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
for key in s:
    t = dict(s)
    if key == "registered_proof": t[key] = "StackedDrg2KiBV1"
    elif key == "sector_id": t[key] ^= 1
    else: t[key] = ("1" if s[key][0] != "1" else "2") + s[key][1:]
    json.dump(t, open(f"{sys.argv[2]}/public.{key}", "w"))
    t = dict(s)
    del t[key]
    json.dump(t, open(f"{sys.argv[2]}/without.{key}", "w"))
print("KEYS='" + " ".join(s) + "'")
print(f"R={s['registered_proof']} P={s['prover_id']} S={s['sector_id']} T={s['ticket']} E={s['seed']} D={s['comm_d']} C={s['comm_r']}")
PY
)"
for key in $KEYS; do
    expect 1 verify "$DIR/proof.bin" "$DIR/public.$key"; says stdout "NOT valid"
    expect 3 verify "$DIR/proof.bin" "$DIR/without.$key"; says stderr "$key"
done
# the same as single options
OPTIONS=(--registered-proof "$R" --prover-id "0x$P" --sector "$S" --ticket "$T" --seed "$E" --comm-d "$D" --comm-r "$C")
expect 0 "$WEIR" verify porep --vk "$DIR/key.vk" --proof "$DIR/proof.bin" "${OPTIONS[@]}"; says stdout "valid: "
# a registered proof with more partitions, and one of another circuit
OPTIONS[1]=StackedDrg2KiBV1_2_Feat_NonInteractivePoRep
expect 3 "$WEIR" verify porep --vk "$DIR/key.vk" --proof "$DIR/proof.bin" "${OPTIONS[@]}"; says stderr "SnarkPack"
OPTIONS[1]=StackedDrg32GiBV1_1
expect 3 "$WEIR" verify porep --vk "$DIR/key.vk" --proof "$DIR/proof.bin" "${OPTIONS[@]}"; says stderr "another circuit"

# every point of the verifying key matters, and so does its subgroup
for at in 0 95 96 191 192 400 580 700 868 1000 4700; do
    flip "$DIR/key.vk" "$at" "$DIR/flipped.vk"
    expect 3 "$WEIR" verify porep --vk "$DIR/flipped.vk" --proof "$DIR/proof.bin" --public "$DIR/public.json"
    says stderr "byte "
done

finish
