import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, it } from 'mocha';

const COMMON = path.resolve(import.meta.dirname, '../../.ci/common');
const SUM = 'All in all: 40 tests passed, 0 failed, in 9 s';
const REASON = '  2 failing\\n\\n  1) a store › keeps:\\n     Error: gone\\n';

/** What a check of these lines of bash says, and its exit code. */
function checked(...lines: readonly string[]) {
  const script = [`source ${COMMON}`, ...lines, 'header Result'].join('\n');
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  return { status, said: stdout.trimEnd().split('\n'), end: stdout.split('== Result')[1] ?? '' };
}

/** A step that writes this, escaped as for printf, and ends with a code. */
function step(name: string, output: string, code = 0): string {
  return `step ${name} 10m keep bash -c $'printf "${output}"; exit ${code}'`;
}

describe('the steps of the whole check', () => {
  it('are added up, whoever counted their tests', () => {
    const { status, said } = checked(
      step('runner', `Log: 7 passing\\n  3 passing (1s)\\n${SUM}\\n`),
      step('mocha', '  2 passing (1m)\\n'),
      step('demo', 'As planned'),
      'add_tests runner; add_tests mocha; add_whole demo',
    );
    assert.deepEqual([status, said.at(-1)], [0, '43 passed, 0 failed']);
  });

  it('tell at the end what failed, and why', () => {
    const failed = 'All in all: 40 tests passed, 2 failed, in 9 s';
    const { status, said, end } = checked(
      step('runner', `before\\n${REASON}\\nThe slowest files\\n  9.0 a.ts\\n${failed}\\n`, 1),
      'add_tests runner',
    );
    assert.deepEqual([status, said.at(-1)], [1, '40 passed, 2 failed']);
    assert.match(
      end,
      /failing in runner:\n {2}2 failing\n\n {2}1\) a store › keeps:\n {5}Error: gone\n/,
    );
    assert.doesNotMatch(end, /before|slowest|a\.ts/);
  });

  it('fail where they end badly, whatever they counted', () => {
    const { status, said, end } = checked(step('runner', `${SUM}\\n`, 9), 'add_tests runner');
    assert.deepEqual([status, said.at(-1)], [1, '40 passed, 1 failed']);
    assert.match(end, /failing: runner, which ended with\nAll in all: /);
  });

  it('leave what failed to a second look, which nobody forgets', () => {
    const left = '1 failing files are looked at again later.\\n';
    const none = left + 'All in all: 0 tests passed, 0 failed, in 9 s\\n';
    const one = step('chaos', none);
    const looked = checked(one, 'add_tests chaos');
    assert.deepEqual([looked.status, looked.said.at(-1)], [0, '0 passed, 0 failed']);
    const again = [
      'mkdir "$log/.bin"',
      `printf '#!/bin/sh\\necho "All in all: 1 tests passed, 0 failed, in 1 s"' >"$log/.bin/npx"`,
      'chmod +x "$log/.bin/npx"; PATH="$log/.bin:$PATH"',
    ];
    const leaves = 'echo "{}" >>"$HOLDPOINT_TEST_LOOK_LATER"';
    const forgotten = checked(one, leaves, 'add_tests chaos');
    assert.deepEqual([forgotten.status, forgotten.said.at(-1)], [1, '0 passed, 1 failed']);
    const passes = checked(one, leaves, 'add_tests chaos', ...again, 'look_again');
    assert.deepEqual([passes.status, passes.said.at(-1)], [0, '1 passed, 0 failed']);
  });

  it('fail where they run no test', () => {
    const { status, said } = checked(step('mocha', '  0 passing (1s)\\n'), 'add_tests mocha');
    assert.deepEqual([status, said.at(-1)], [1, '0 passed, 1 failed']);
  });

  it('fail where they never ended', () => {
    const { status, said } = checked(`echo '${SUM}' >"$log/lost"`, 'add_tests lost');
    assert.deepEqual([status, said.at(-1)], [1, '40 passed, 1 failed']);
  });

  it('fail where they take longer than they may', () => {
    const { status, said } = checked('step long 0.1s keep sleep 60', 'add_whole long');
    assert.deepEqual([status, said.at(-1)], [1, '0 passed, 1 failed']);
  });

  it('fail all where a command between them does', () => {
    const { status, said } = checked(step('demo', 'fine'), 'add_whole demo', 'false');
    assert.deepEqual([status, said.at(-1)], [1, '1 passed, 1 failed']);
  });

  it('are each told the CPU of their own', () => {
    const burn = `node -e 'while (process.cpuUsage().user < 1.2e6);'`;
    const { said } = checked(
      `(step other 10m keep ${burn}) &`,
      'wait',
      'step idle 10m show sleep 0',
      'cat "$log/other"',
      'echo "code $(code_of other)"',
    );
    const told = said.filter((line) => / of CPU$/.test(line)).map((line) => line.split(', ')[1]);
    assert.equal(told[0], '0 s of CPU');
    assert.match(told[1] ?? '', /^[1-9] s of CPU$/);
  });
});
