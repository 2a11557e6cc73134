import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
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

  for (const name of ['a.ts', 'C.tsx']) {
    it(`refuses an import cycle, from ${name}`, async () => {
      const file = path.join(import.meta.dirname, 'fixtures/cycle', name);
      const sample = { file: path.relative('.', file), code: await readFile(file, 'utf8') };
      assert.deepEqual(await sampleLinter([sample])(sample), ['import-x/no-cycle']);
    });
  }
});
