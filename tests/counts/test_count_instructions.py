#!/usr/bin/env python3
"""Tests of tools/count_instructions: what is off by more than the limit is found, in both directions, and said.

usage: test_count_instructions.py SOURCE_FOLDER BUILD_FOLDER
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = sys.argv[1], sys.argv[2]
TOOL = os.path.join(ROOT, 'tools', 'count_instructions')


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='weir-test-')
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w') as f:
            f.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def tool(self, command, build, *args, env=None):
        run = subprocess.run([sys.executable, TOOL, command, build] + list(args), capture_output=True, text=True, env=env)
        return run.returncode, run.stdout + run.stderr


def scaled(table, permille):
    """Every count times permille / 1000; the first column's width does not count."""
    return re.sub(r'(\d+)$', lambda m: str(int(m.group(1)) * permille // 1000), table, flags=re.M)


class Comparison(Case):
    """Counts that are given, so that nothing runs."""

    MEASURED = 'fp_mul portable gcc-1 100000\nfp_mul adx gcc-1 20000\nx/y:z/vpmadd52 ifma gcc-1 100\n'

    def check(self, table, *args, build='gcc-1'):
        self.write('build/tests/counts/build.txt', 'build %s\nprogram none\n' % build)
        measured = self.write('measured.txt', self.MEASURED)
        return self.tool('check', self.path('build'), '--table', self.write('table.txt', table), '--measured', measured, *args)

    def bad(self, table, *texts):
        code, out = self.check(table)
        self.assertEqual(code, 1, out)
        self.assertEqual(len(out.splitlines()), len(texts) + 1, out)
        for text in texts:
            self.assertIn(text, out)
        self.assertIn('tools/count_instructions write ' + self.path('build'), out)

    def test_equal(self):
        self.assertEqual(self.check('# a remark\n\n' + self.MEASURED)[0], 0)

    def test_limits(self):
        table = 'fp_mul portable gcc-1 %d\nfp_mul adx gcc-1 20000\nx/y:z/vpmadd52 ifma gcc-1 100\n'
        for count, code in ((97087, 1), (97088, 0), (103092, 0), (103093, 1)):
            self.assertEqual(self.check(table % count)[0], code, count)

    def test_grown(self):
        self.bad(self.MEASURED.replace('20000', '19230'), 'fp_mul on adx: 20000, the table says 19230: +4.0 %, and +3 % is')
        self.bad(self.MEASURED.replace(' 100\n', ' 96\n'), 'x/y:z/vpmadd52 on ifma: 100, the table says 96: +4.2 %')

    def test_shrunk(self):
        self.bad(self.MEASURED.replace('20000', '20840'), 'fp_mul on adx: 20000, the table says 20840: -4.0 %; lower the table')

    def test_all_are_said(self):
        self.bad(scaled(self.MEASURED, 950), 'fp_mul on portable', 'fp_mul on adx', 'x/y:z/vpmadd52 on ifma')

    def test_new_and_gone(self):
        self.bad(self.MEASURED.replace('fp_mul adx', 'fp_old adx'), 'fp_mul on adx: 20000, and no line in the table',
                 'fp_old on adx: in the table, but the build has it no more')

    def test_other_builds(self):
        for build in ('gcc-2', 'gcc-1-RelWithDebInfo-asserts', 'clang-1'):
            code, out = self.check(self.MEASURED, build=build)
            self.assertEqual((code, out), (77, 'skipped: no figures for %s; the table has gcc-1\n' % build))

    def test_table(self):
        for bad in ('fp_mul adx gcc-1\n', 'fp_mul adx gcc-1 -5\n', self.MEASURED + 'fp_mul adx gcc-1 20000\n'):
            self.assertEqual(self.check(bad)[0], 1, bad)
        self.assertEqual(self.tool('check', self.folder)[0], 1)

    def test_write(self):
        self.check('old adx gcc-1 5\nfp_mul adx gcc-1 1\nfp_mul adx gcc-2 7\n')
        code, out = self.tool('write', self.path('build'), '--table', self.path('table.txt'), '--measured', self.path('measured.txt'))
        self.assertEqual(code, 0, out)
        lines = [' '.join(line.split()) for line in self.read('table.txt').splitlines()]
        for line in self.MEASURED.splitlines() + ['fp_mul adx gcc-2 7']:
            self.assertIn(line, lines)
        self.assertNotIn('old adx gcc-1 5', lines)
        self.assertIn('gone', out)
        self.assertEqual(self.check(self.read('table.txt'))[0], 0)


@unittest.skipUnless(shutil.which('valgrind') and os.path.exists(os.path.join(BUILD, 'tests/counts/build.txt')), 'no valgrind')
class Counting(Case):
    """One routine of this build under callgrind, against a table made of its own count."""

    def setUp(self):
        super().setUp()
        with open(os.path.join(BUILD, 'tests/counts/build.txt')) as f:
            if '-sanitize' in f.readline():
                self.skipTest('sanitizers and callgrind do not go together')
        self.name = 'fp_mul_64'
        code, out = self.tool('write', BUILD, '--as-built', '--only', self.name, '--table', self.path('table.txt'))
        self.assertEqual(code, 0, out)

    def check(self, permille=1000, env=None):
        self.write('changed.txt', scaled(self.read('table.txt'), permille))
        return self.tool('check', BUILD, '--only', self.name, '--table', self.path('changed.txt'), env=env)

    def test_the_same_again(self):
        """Whatever the environment's size, to the last instruction."""
        for size in (1, 8, 5000):
            other = self.path('other.txt')
            env = dict(os.environ, WEIR_TEST_ROOM='x' * size)
            self.tool('write', BUILD, '--as-built', '--only', self.name, '--table', other, env=env)
            self.assertEqual(self.read('other.txt'), self.read('table.txt'))

    def test_two_percent(self):
        for permille in (980, 1020):
            self.assertEqual(self.check(permille)[0], 0)

    def test_four_percent(self):
        code, out = self.check(1042)
        self.assertEqual(code, 1, out)
        self.assertIn('fp_mul_64 on portable', out)
        self.assertIn('lower the table', out)
        code, out = self.check(960)
        self.assertEqual(code, 1, out)
        self.assertIn('and +3 % is the limit', out)

    def test_no_such_routine(self):
        self.name = 'fp_none'
        self.assertEqual(self.check()[0], 1)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
