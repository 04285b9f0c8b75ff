"""What libweir.so and libweir.a show is what the header declares, and what they need is little.

usage: test_symbols.py HEADER libweir.so libweir.a
"""
import re
import subprocess
import sys


def symbols(nm_flags, path):
    """The names that the file defines for others."""
    out = subprocess.check_output(['nm', *nm_flags, '--defined-only', path], text=True)
    return {line.split()[2] for line in out.splitlines() if len(line.split()) == 3}


def needed(path):
    out = subprocess.check_output(['readelf', '-d', path], text=True)
    return set(re.findall(r'\(NEEDED\).*\[(.*)\]', out)), re.search(r'\(SONAME\).*\[(.*)\]', out).group(1)


def main():
    header, shared, static = sys.argv[1:]
    with open(header, encoding='utf-8') as f:
        text = f.read()
    want = set(re.findall(r'LIBWEIR_API[^;(]*?(libweir_\w+)\(', text))
    assert len(want) > 10 and len(want) == len(re.findall(r'^LIBWEIR_API', text, re.M)), want
    for flags, path in ((['-D'], shared), (['-g'], static)):
        have = symbols(flags, path)
        assert have == want, '%s: not in the header: %s; missing: %s' % (path, sorted(have - want), sorted(want - have))
    libs, soname = needed(shared)
    assert soname == 'libweir.so.0', soname
    strange = [l for l in libs if not re.match(r'(libc|libm|libhwloc|libsodium|libpthread|libdl|librt|ld-linux.*)\.so', l)]
    assert not strange, strange
    print('%d functions' % len(want))


if __name__ == '__main__':
    main()
