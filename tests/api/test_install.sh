#!/bin/bash
# The installed tree is all that a program needs: examples/prove.c is built against it, with both libraries, as C and the header
# as C++, and proves.
# usage: test_install.sh BUILD SOURCE CMAKE CC CXX
set -eu
BUILD=$1 SOURCE=$2 CMAKE=$3 CC=$4 CXX=$5
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
die() { echo "$*" >&2; exit 1; }

"$CMAKE" --install "$BUILD" --prefix "$DIR/usr" > "$DIR/install.txt"
PC=$(dirname "$(find "$DIR/usr" -name weir.pc)")
export PKG_CONFIG_PATH=$PC
[ "$(pkg-config --modversion weir)" = "$("$DIR/usr/bin/weir" --version | cut -d' ' -f2)" ] || die "versions differ"
mv "$DIR/usr" "$DIR/moved" # the tree can be moved
export PKG_CONFIG_PATH=$DIR/moved${PC#"$DIR/usr"}
LIB=$(pkg-config --variable=libdir weir)
WARN="-Wall -Wextra -Wpedantic -Werror"

# shellcheck disable=SC2046,SC2086
{
    "$CC" -std=c11 -D_GNU_SOURCE $WARN "$SOURCE/examples/prove.c" $(pkg-config --cflags --libs weir) -o "$DIR/prove"
    "$CC" -std=c11 -D_GNU_SOURCE $WARN "$SOURCE/examples/prove.c" $(pkg-config --cflags --libs weir-static) -o "$DIR/prove-static"
    if [ -n "$CXX" ]; then
        printf '%s\n' '#include <weir/weir.h>' 'int main() { libweir_options o; libweir_options_init(&o);' \
            'libweir_engine *e; libweir_error x; o.device = "cpu";' \
            'if (libweir_open(&e, &o, &x) != LIBWEIR_OK) return 1;' 'libweir_close(e);' \
            'return libweir_version() == LIBWEIR_VERSION ? 0 : 2; }' \
            > "$DIR/cpp.cc"
        "$CXX" -std=c++11 $WARN "$DIR/cpp.cc" $(pkg-config --cflags --libs weir) -o "$DIR/cpp"
        LD_LIBRARY_PATH=$LIB "$DIR/cpp"
    fi
}
if readelf -d "$DIR/prove-static" | grep -q libweir; then die "prove-static needs libweir.so"; fi

"$DIR/moved/bin/weir" key make --circuit porep-2KiB --insecure-seed 1 --out "$DIR/keys" > /dev/null 2>&1
KEY=$(echo "$DIR"/keys/*.params)
prove() { # PROGRAM KEY
    LD_LIBRARY_PATH=$LIB "$DIR/$1" "$2" 2048 "$SOURCE/examples/porep-2KiB-c1.json" "$DIR/$1.bin" cpu
    "$DIR/moved/bin/weir" verify porep --vk "${KEY%.params}.vk" --proof "$DIR/$1.bin" \
        --public "$SOURCE/examples/porep-2KiB-public.json"
}
prove prove "$KEY"
"$DIR/moved/bin/weir" key make --circuit porep-2KiB --insecure-seed 1 --out "$DIR/native.weirkey" > /dev/null 2>&1
cmp "$DIR/native.vk" "${KEY%.params}.vk"
prove prove-static "$DIR/native.weirkey"

# what is wrong is said
tr 1 2 < "$SOURCE/examples/porep-2KiB-c1.json" > "$DIR/bad.json"
if LD_LIBRARY_PATH=$LIB "$DIR/prove" "$KEY" 2048 "$DIR/bad.json" "$DIR/bad.bin" cpu 2> "$DIR/bad.txt"; then die "a bad C1 was proved"; fi
grep -q "LIBWEIR_E_" "$DIR/bad.txt" || die "no error was named"
[ ! -e "$DIR/bad.bin" ] || die "a proof was written"
if LD_LIBRARY_PATH=$LIB "$DIR/prove" "$KEY" 8388608 "$DIR/bad.json" "$DIR/bad.bin" cpu 2> "$DIR/bad.txt"; then die "a key of 2 KiB was taken for 8 MiB"; fi
grep -q "LIBWEIR_E_MISMATCH" "$DIR/bad.txt" || die "not the right error: $(cat "$DIR/bad.txt")"
