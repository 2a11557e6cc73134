import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint } from 'eslint';
import { type LintSample, sampleLinter } from './sample-linter.js';
import { BROKEN, CLEAN } from './lint-samples.js';

describe('lint rules', () => {
  let lint: (sample: LintSample) => Promise<readonly string[]>;

  before(() => {
    lint = sampleLinter([...BROKEN, ...CLEAN]);
  });

  for (const sample of BROKEN) {
    const folder = path.dirname(sample.file);
    it(`refuses in ${folder}: ${sample.title} (${sample.rule})`, async () => {
      assert.ok((await lint(sample)).includes(sample.rule));
    });
  }

  for (const sample of CLEAN) {
    it(`accepts ${sample.file}`, async () => {
      assert.deepEqual(await lint(sample), []);
    });
  }

  it('refuses an import cycle', async () => {
    const cwd = path.resolve(import.meta.dirname, '../..');
    const eslint = new ESLint({ cwd, ignore: false });
    const [result] = await eslint.lintFiles('test/conventions/fixtures/cycle/a.ts');
    assert.deepEqual(
      result?.messages.map((message) => message.ruleId),
      ['import-x/no-cycle'],
    );
  });
});
