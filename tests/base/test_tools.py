#!/usr/bin/env python3
"""Tests of tools/check_layers, check_headers and check_generated: each violation is found, with file and line.

usage: test_tools.py SOURCE_FOLDER C_COMPILER
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, CC = sys.argv[1], sys.argv[2]
TOOLS = os.path.join(ROOT, 'tools')

GOOD = {
    'src/base/err.h': '#include <stdint.h>\n',
    'src/base/pool.c': '#include "base/err.h"\n#include <pthread.h>\n',
    'src/field/fp.h': '/* first */\n#include "base/err.h"\n',
    'src/curve/types.h': '#include "field/fp.h"\n',
    'src/curve/curve.h': '#include "curve/types.h"\n',
    'src/gpu/kernel.cu': '#include <cuda_runtime.h>\n#include "curve/types.h"\n',
    'src/api/weir.c': '#include "weir/weir.h"\n',
    'src/field/CMakeLists.txt': 'weir_module(field\n  SOURCES a.c\n  DEPENDS base)\n',
    'include/weir/weir.h': '#include <stddef.h>\n#include "weir/types.h"\n',
    'include/weir/types.h': '#include <stdint.h>\n',
}


class Tree:
    """A source tree of its own, good but for what a test changes."""

    def __init__(self, changes):
        self.root = tempfile.mkdtemp(prefix='weir-test-')
        self.write('docs/layers.md', subprocess.check_output([os.path.join(TOOLS, 'check_layers'), '--print'], text=True))
        for path, text in dict(GOOD, **changes).items():
            self.write(path, text)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, 'w') as f:
            f.write(text)

    def run(self, tool, *args):
        run = subprocess.run([sys.executable, os.path.join(TOOLS, tool), '--root', self.root] + list(args),
                             capture_output=True, text=True)
        shutil.rmtree(self.root)
        return run.returncode, run.stdout


class CheckLayers(unittest.TestCase):
    def good(self, changes):
        code, out = Tree(changes).run('check_layers')
        self.assertEqual((code, out.count(':')), (0, 0), out)

    def bad(self, changes, *where):
        """Exactly these places are reported."""
        code, out = Tree(changes).run('check_layers')
        self.assertEqual(code, 1, out)
        self.assertEqual([line.split(': ')[0] for line in out.splitlines()], list(where), out)

    def test_good(self):
        self.good({})

    def test_upwards(self):
        self.bad({'src/field/fp.h': '/* */\n#include "base/err.h"\n#include "curve/curve.h"\n'}, 'src/field/fp.h:3')
        self.bad({'src/base/x.c': '#include "base/err.h"\n\n  #  include "field/fp.h"\n'}, 'src/base/x.c:3')

    def test_sideways(self):
        self.bad({'src/poly/x.c': '#include "field/fp.h"\n#include "curve/types.h"\n'}, 'src/poly/x.c:2')

    def test_types_only(self):
        self.bad({'src/gpu/x.cuh': '#include "curve/types.h"\n#include "curve/g1.h"\n', 'src/curve/g1.h': '/* */\n'},
                 'src/gpu/x.cuh:2')

    def test_every_line(self):
        self.bad({'src/field/fp.h': '#include "curve/curve.h"\n#include "base/err.h"\n#include "gpu/a.h"\n'},
                 'src/field/fp.h:1', 'src/field/fp.h:3', 'src/field/fp.h:3')

    def test_missing_and_misspelt(self):
        self.bad({'src/field/x.c': '#include "base/none.h"\n'}, 'src/field/x.c:1')
        self.bad({'src/field/x.c': '#include "fp.h"\n#include "../base/err.h"\n'}, 'src/field/x.c:1', 'src/field/x.c:2')

    def test_system(self):
        self.bad({'src/field/x.c': '#include <stdint.h>\n#include <pthread.h>\n'}, 'src/field/x.c:2')
        self.bad({'src/curve/x.c': '#include <cuda_runtime.h>\n'}, 'src/curve/x.c:1')
        self.bad({'src/cli/x.c': '#include <unheard_of.h>\n'}, 'src/cli/x.c:1')

    def test_public(self):
        self.bad({'include/weir/types.h': '#include "base/err.h"\n'}, 'include/weir/types.h:1')
        self.bad({'src/field/x.c': '#include "weir/weir.h"\n'}, 'src/field/x.c:1')

    def test_unknown_module(self):
        self.bad({'src/extra/x.c': ''}, 'src/extra/x.c:1')
        self.bad({'src/x.c': ''}, 'src/x.c:1')

    def test_depends(self):
        self.bad({'src/field/CMakeLists.txt': 'weir_module(field\n  SOURCES a.c\n  DEPENDS base\n    curve)\n'},
                 'src/field/CMakeLists.txt:4')

    def test_docs(self):
        page = subprocess.check_output([os.path.join(TOOLS, 'check_layers'), '--print'], text=True)
        self.bad({'docs/layers.md': page.replace('| `hash` | `base`, `field` |', '| `hash` | `base` |')},
                 'docs/layers.md:5')
        lines = page.splitlines()
        self.bad({'docs/layers.md': '\n'.join(lines[:-1]) + '\n'}, 'docs/layers.md:%d' % (len(lines) - 1))

    def test_empty(self):
        tree = Tree({})
        shutil.rmtree(os.path.join(tree.root, 'src'))
        shutil.rmtree(os.path.join(tree.root, 'include'))
        self.assertEqual(tree.run('check_layers')[0], 1)


class CheckHeaders(unittest.TestCase):
    def headers(self, changes):
        tree = Tree({})
        shutil.rmtree(os.path.join(tree.root, 'src'))
        shutil.rmtree(os.path.join(tree.root, 'include'))
        for path, text in changes.items():
            tree.write(path, text)
        return tree.run('check_headers', '--cc', CC)

    GUARDED = '#ifndef A_H\n#define A_H\n#include <stdint.h>\nstruct a { uint8_t b; };\n#endif\n'

    def test_good(self):
        self.assertEqual(self.headers({'src/base/a.h': self.GUARDED, 'src/base/t.inc.h': 'not C'})[0], 0)

    def test_not_alone(self):
        code, out = self.headers({'src/base/a.h': self.GUARDED, 'src/field/b.h': 'uint8_t f(void);\n'})
        self.assertEqual(code, 1)
        self.assertIn('src/field/b.h:1:', out)
        self.assertNotIn('src/base/a.h:1:', out)

    def test_no_guard(self):
        self.assertEqual(self.headers({'src/base/a.h': 'struct a { int b; };\n'})[0], 1)

    def test_none(self):
        self.assertEqual(self.headers({})[0], 1)


class CheckGenerated(unittest.TestCase):
    def generated(self, changes):
        tree = Tree({})
        for name in sorted(os.listdir(TOOLS)):
            if name.startswith('gen_'):
                shutil.copytree(TOOLS, os.path.join(tree.root, 'tools'), dirs_exist_ok=True)
        for path in ('src/field/params_bls12_381.h', 'src/field/mul_x86_adx.h', 'src/curve/params_curve.h',
                     'src/gpu/gpu_params.h', 'src/formats/published_table.inc.h', 'tests/vectors/parameters.json'):
            with open(os.path.join(ROOT, path)) as f:
                tree.write(path, changes.get(path, lambda text: text)(f.read()))
        for path, text in changes.items():
            if isinstance(text, str):
                tree.write(path, text)
        return tree.run('check_generated')

    def test_good(self):
        self.assertEqual(self.generated({}), (0, ''))

    def test_layout_does_not_count(self):
        spread = lambda text: text.replace(', ', ',  \\\n    ')
        self.assertEqual(self.generated({'src/field/params_bls12_381.h': spread}), (0, ''))

    def test_one_digit(self):
        for path, old, new in (('src/field/params_bls12_381.h', '0xb9feffffffffaaab', '0xb9feffffffffaaaa'),
                               ('src/field/mul_x86_adx.h', 'adcxq', 'adoxq')):
            code, out = self.generated({path: lambda text: text.replace(old, new, 1)})
            self.assertEqual(code, 1)
            self.assertIn(path + ':1:', out)

    def test_unknown_generator(self):
        code, out = self.generated({'tools/gen_new.py': ''})
        self.assertEqual(code, 1)
        self.assertIn('tools/gen_new.py:1:', out)


PTXAS = '''ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    800 bytes stack frame, 80 bytes spill stores, 80 bytes spill loads
ptxas info    : Used 99 registers, used 0 barriers
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for called
    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 24 bytes cumulative stack size
'''


class CheckPtxas(unittest.TestCase):
    def check(self, table, log=PTXAS):
        with tempfile.TemporaryDirectory(prefix='weir-test-') as folder:
            for name, text in (('t', table), ('k.o.ptxas', log)):
                with open(os.path.join(folder, name), 'w') as f:
                    f.write(text)
            run = subprocess.run([sys.executable, os.path.join(TOOLS, 'check_ptxas'), '--table', 't', 'k.o'], cwd=folder,
                                 capture_output=True, text=True)
        return run.returncode, run.stdout

    def test_good(self):
        self.assertEqual(self.check('# note\nk 40 24 4 8\n'), (0, '1 kernels, 0 differences\n'))

    def test_more(self):
        for row in ('k 39 24 4 8', 'k 40 23 4 8', 'k 40 24 3 8', 'k 40 24 4 7'):
            code, out = self.check(row + '\n')
            self.assertEqual(code, 1)
            self.assertIn('t:1: k has', out)

    def test_rows(self):
        self.assertIn('has no row for k', self.check('')[1])
        self.assertIn('t:2: no kernel gone', self.check('k 40 24 4 8\ngone 1 0 0 0\n')[1])

    def test_no_code(self):
        self.assertEqual(self.check('', PTXAS.split("ptxas info    : Compiling entry function 'k' for 'sm_90'")[0])[0], 77)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
