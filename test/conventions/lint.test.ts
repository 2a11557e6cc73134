import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { importCycles } from './import-cycles.js';
import { BROKEN } from './lint-samples.js';
import { needsTypes, ruleBlocks, type Entry } from './rules-in-force.js';
import { lintSamples, type Findings } from './sample-linter.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OXLINT = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
/** Rules that need types and that oxlint lacks: `.ci/nightly` looks at these (docs/adr/0099). */
const ONLY_AT_NIGHT = ['@typescript-eslint/no-unsafe-class-instance-assignment'];
/** A port's implementation may have nothing to await; its signature is still a promise. */
const LEFT_OUT = ['@typescript-eslint/require-await'];

function isOn(entry: Entry | undefined): boolean {
  const severity = typeof entry === 'object' ? entry[0] : entry;
  return severity === 'error' || severity === 2;
}

describe('lint rules', () => {
  let found: { readonly oxlint: Findings; readonly eslint: Findings };
  const rulesBrokenIn = (file: string): readonly string[] =>
    found.oxlint.get(file) ?? assert.fail(file);

  before(async () => {
    found = await lintSamples(BROKEN);
  });

  for (const { file, rule, code } of BROKEN) {
    it(`refuse in ${path.dirname(file)} by ${rule}: ${code.slice(0, 60).replaceAll('\n', ' ')}`, () => {
      assert.ok(rulesBrokenIn(file).includes(rule), `found: ${rulesBrokenIn(file).join()}`);
    });
  }

  it('that need no types are broken for ESLint where they are for oxlint', () => {
    const differ = BROKEN.flatMap(({ file, code }) => {
      const oxlint = [...new Set(rulesBrokenIn(file).filter((rule) => !needsTypes(rule)))].sort();
      const eslint = [...new Set(found.eslint.get(file))].sort();
      return oxlint.join() === eslint.join() ? [] : [{ file, code, oxlint, eslint }];
    });
    assert.deepEqual(differ, []);
  });

  it('are all strict rules of typescript-eslint', async () => {
    const config = (await new ESLint().calculateConfigForFile('service/start.ts')) as {
      readonly rules: Readonly<Record<string, Entry>>;
    };
    const rules: Readonly<Record<string, Entry>> = Object.assign(
      {},
      ...(await ruleBlocks()).slice(0, 3).map((block) => block.rules),
    );
    const strict = tseslint.configs.strictTypeChecked.flatMap(({ rules: all = {} }) =>
      Object.entries(all).filter(([, entry]) => isOn(entry as Entry | undefined)),
    );
    const names = [...new Set(strict.map(([name]) => name))];
    assert.ok(names.length > 70);
    const otherName = (name: string): string => name.replace('@typescript-eslint/', 'ts-eslint/');
    assert.deepEqual(
      names.filter((name) => !isOn(rules[name]) && !isOn(rules[otherName(name)])),
      [...ONLY_AT_NIGHT, ...LEFT_OUT].sort(),
    );
    const plain = Object.entries(rules).filter(([name]) => !needsTypes(name));
    assert.deepEqual(
      plain.map(([name]) => name).filter((name) => !isOn(config.rules[name])),
      [],
    );
  });

  it('have a broken text for each', async () => {
    const rules = (await ruleBlocks()).flatMap((block) => Object.entries(block.rules));
    const names = new Set(rules.filter(([, entry]) => isOn(entry)).map(([name]) => name));
    const broken = BROKEN.map(({ rule }) => rule);
    assert.deepEqual(
      [...names].filter((name) => !broken.includes(name)),
      [],
    );
  });

  it('are for the files that ESLint would look at', async () => {
    const run = promisify(execFile);
    const options = { cwd: ROOT, maxBuffer: Infinity };
    const tracked = (await run('git', ['ls-files'], options)).stdout.split('\n');
    const listed = await run(process.execPath, [OXLINT, '--debug=files'], options);
    const seen = new Set(listed.stdout.split('\n').map((line) => line.trim()));
    const eslint = new ESLint({ cwd: ROOT });
    const sources = tracked.filter((file) => /\.([cm]?js|[cm]?ts|[jt]sx)$/.test(file));
    const ignored = await Promise.all(sources.map((file) => eslint.isPathIgnored(file)));
    const expected = sources.filter((_, i) => ignored[i] === false);
    assert.ok(expected.length > 1_500);
    assert.deepEqual(
      sources.filter((file) => seen.has(file)),
      expected,
    );
  });

  it('refuse an import cycle, whatever its files are called', async () => {
    const cycles = await importCycles(path.join(import.meta.dirname, 'fixtures/cycle'));
    assert.deepEqual(cycles.map((cycle) => [...cycle].sort()).sort(), [
      ['C.tsx', 'D.tsx'],
      ['a.ts', 'b.ts'],
    ]);
  });
});
