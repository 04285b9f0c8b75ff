#!/bin/bash
# The bench commands at small sizes, on every path that is here: the table, its JSON, wrong use. No figure is looked at.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

PATHS=
for p in portable adx ifma; do
    if "$WEIR" bench ntt --log-size 1 --runs 1 --path $p >"$DIR/stdout" 2>"$DIR/stderr"; then
        PATHS="$PATHS $p"
    else
        LAST="path $p"
        says stderr "has no path '$p'"
    fi
done

# rows_are N PATH THREADS: the JSON has N rows, each with its parts; those that can be are on that path and threads
rows_are() {
    CASES=$((CASES + 1))
    "$PYTHON" - "$DIR/stdout" "$@" >"$DIR/stderr" 2>&1 <<'PY' || bad "$LAST: rows"
import json, sys
doc = json.load(open(sys.argv[1]))
n, path, threads = int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
assert doc["topology"].split()[1] in ("thread", "threads"), doc
assert doc["ok"] is True and doc["machine"] and doc["path"] == path and doc["threads"] == threads and doc["runs"] == 1, doc
rows = doc["rows"]
assert len(rows) == n, "%d rows" % len(rows)
for r in rows:
    assert r["what"] and r["size"] and r["runs"] == 1, r
    assert r["path"] in (path, "any", "portable", "sha-ni"), r
    assert r["threads"] in (1, threads), r
    for key in ("cpu_ns", "wall_ns"):
        if key in r:
            assert 0 <= r[key]["min"] <= r[key]["median"] <= r[key]["max"], r
    assert "wall_ns" in r and ("each" in r) == ("each_ns" in r), r
assert any("cpu_ns" in r and r["path"] == path for r in rows)
PY
}

# bench ROWS THREADS COMMAND...: as JSON on every path, as a table on the plain one
bench() {
    local rows=$1 threads=$2 p n head
    shift 2
    for p in $PATHS; do
        n=$rows
        if [ "$1" = field ] && [ "$p" = ifma ]; then n=$((rows + 15)); fi
        expect 0 "$WEIR" bench "$@" --runs 1 --path "$p" --threads "$threads" --json
        silent stderr
        rows_are "$n" "$p" "$threads"
    done
    expect 0 "$WEIR" bench "$@" --runs 1 --path portable --threads "$threads"
    silent stderr
    says stdout " $threads portable "
    head='^what +size +threads +path +min +median +max +'
    [ "$threads" = 1 ] || head="${head}wall +"
    CASES=$((CASES + 1))
    sed -n 2p "$DIR/stdout" | grep -qE "${head}each\$" || bad "$LAST: the head is not the second line"
}

SHA=0
if grep -qw sha_ni /proc/cpuinfo && [ "$PATHS" != " portable" ]; then SHA=1; fi
bench 16 1 field
bench 18 1 curve
bench $((22 + 2 * SHA)) 1 hash
bench 4 1 ntt --log-size 3
bench 12 2 ntt --log-size 1-2,11
bench 2 1 msm --log-size 0,5
bench 1 2 msm --log-size 9 --group g2 --window 4
for group in g1 g2; do
    bench 1 1 msm --log-size 7 --group $group --kind bits
    bench 1 1 msm --log-size 7 --group $group --kind fixed
done
bench 1 2 msm --log-size 8 --kind fixed --window 3
bench 5 2 verify --sector-size 2KiB
bench 22 1 proof --log-rows 2,6
bench 11 2 proof --log-rows 5
bench 2 2 fill --sector-size 2KiB; says stdout "SHA-256 compressions"
expect 0 "$WEIR" bench fill --sector-size 2KiB --runs 1 --json; says stdout '"sha256_compressions"'
says stdout '"relation_bytes"'
expect 0 "$WEIR" bench verify --sector-size 32GiB --runs 1; says stdout "327 inputs"; says stdout "10 proofs"

# ---- the trace of a run has all its spans, however many jobs: of a partition on its lane one, its four steps, and what is left of the last
expect 0 "$WEIR" bench engine --device fake --step 0 --log-size 4 --count 1500 --runs 1 --waterfall "$DIR"; silent stderr
expect 0 "$WEIR" trace "$DIR/defaults.trace" --json; is_json; says stdout '"lost": 0'
CASES=$((CASES + 1))
"$PYTHON" - "$DIR/stdout" <<'PY' || bad "$LAST: spans are missing"
import json, sys
lanes = {l["name"]: l for l in json.load(open(sys.argv[1]))["lanes"]}
assert lanes["device 0"]["spans"] == 6 * (3 + 5 + 1500), lanes["device 0"]
assert lanes["finish 0"]["spans"] == 3 + 5 + 1500
PY

# ---- whole proofs of a sector, on a device of scripted times: from documents, verified, and what is told of them
set -- bench porep --device fake --sector-size 2KiB --challenges 1 --count 3 --concurrency 2
expect 0 "$WEIR" "$@" --waterfall "$DIR"; silent stderr
says stdout "a proof (3 proofs, 2 at once"; says stdout "loaded over alone"
expect 0 "$WEIR" trace "$DIR/porep.trace"; says stdout "7 jobs, 7 partitions"
expect 0 "$WEIR" "$@" --json; is_json
CASES=$((CASES + 1))
"$PYTHON" - "$DIR/stdout" <<'PY' || bad "$LAST: figures"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["ok"] and d["sector_size"] == "2KiB" and d["device"] == "fake", d
assert (d["count"], d["concurrency"], d["partitions"], d["repaired"]) == (3, 2, 3, 0), d
assert 0 < d["latency_s"] and 0 < d["sustained_s"] and d["unmaps"] == 0 and d["threads_started"] == 0, d
for stage in ("fill", "step", "finish"):
    s = d["stages_ms"][stage]
    assert 0 < s["least"] <= s["median"] <= s["most"] and s["inflation"] > 0, s
PY
# four ways beside each other; a switch that moves nothing that is counted is told: this circuit has no large buffers
expect 2 "$WEIR" "$@" --ablation; says stdout "1, 2: threads sized"; says stderr "too small"
expect 6 "$WEIR" bench porep --device fake --sector-size 2KiB --key "$DIR/none.weirkey"; says stderr "none.weirkey"
expect 2 "$WEIR" "$@" --key "$DIR/none.weirkey"; says stderr "whole circuits"
expect 2 "$WEIR" bench porep --sector-size 4KiB; says stderr "no registered proof"
expect 2 "$WEIR" bench porep --partition-workers 0; says stderr "partition-workers"

# ---- a machine that cannot be read: "stop" leaves hwloc nothing to ask
export HWLOC_COMPONENTS=stop
expect 0 "$WEIR" bench ntt --log-size 1 --runs 1; says stdout ", cores and caches unknown"; silent stderr
unset HWLOC_COMPONENTS

# ---- wrong use
for c in field curve hash msm ntt verify proof fill; do
    expect 2 "$WEIR" bench $c --path mmx; says stderr "portable"; silent stdout
    expect 2 "$WEIR" bench $c --runs 0; says stderr "not between 1 and 1000"
    expect 2 "$WEIR" bench $c --threads none --json; is_json; says stdout '"ok": false'
    expect 2 "$WEIR" bench $c more; says stderr "'more' is too much"
done
for c in field curve hash; do
    expect 2 "$WEIR" bench $c --threads 2; says stderr "only 1 can be"; silent stdout
done
expect 2 "$WEIR" bench fields; says stderr "did you mean 'weir bench field'"
for list in "" 27 5-3 5- -5 5,,6 5, a 5x 4294967301 18446744073709551621 0-26,0-26; do
    expect 2 "$WEIR" bench msm --log-size "$list"; says stderr "--log-size"; silent stdout
done
expect 2 "$WEIR" bench ntt --log-size 0; says stderr "from 1 to 26"
expect 2 "$WEIR" bench proof --log-rows 1,5; says stderr "from 2 to 24"
expect 2 "$WEIR" bench msm --group g3; says stderr "take g1 or g2"
expect 2 "$WEIR" bench msm --kind sparse; says stderr "take dense, bits or fixed"
expect 2 "$WEIR" bench msm --window 21; says stderr "not between 2 and 20"
expect 2 "$WEIR" bench msm --kind bits --window 4; says stderr "have none"
expect 2 "$WEIR" bench verify --sector-size 3KiB; says stderr "2KiB"
expect 2 "$WEIR" bench fill --sector-size 4KiB; says stderr "no registered proof"

finish
