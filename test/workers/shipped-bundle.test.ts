import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { currentBundle, stampBundle } from '../../workers/shipped-bundle.js';

const unheard = (line: string): void => assert.equal(line, 'nothing');

describe('the workflow bundle of a build', () => {
  let root: string;
  let bundle: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdpoint-bundle-'));
    bundle = path.join(root, 'dist/workflow-bundle.js');
    for (const folder of ['workflows/intent', 'domain', 'contracts', 'workers', 'dist'])
      await mkdir(path.join(root, folder), { recursive: true });
    const files = [
      'workflows/intent/workflow.ts',
      'workers/shipped-bundle.ts',
      'package-lock.json',
    ];
    for (const file of files) await writeFile(path.join(root, file), 'as it was');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function build(): Promise<void> {
    await writeFile(bundle, '');
    await stampBundle(bundle, root);
  }

  const OUT_OF_DATE =
    'dist/workflow-bundle.js is not made of these sources, which are bundled now: npm run build';

  it('is what a worker uses that runs from the same sources', async () => {
    await build();
    assert.equal(await currentBundle(root, unheard), bundle);
  });

  it('is not missed, and not mentioned, where nothing was built', async () => {
    assert.equal(await currentBundle(root, unheard), undefined);
  });

  const CHANGES: Readonly<Record<string, () => Promise<void>>> = {
    'a changed source': () => writeFile(path.join(root, 'workflows/intent/workflow.ts'), 'changed'),
    'a new source': () => writeFile(path.join(root, 'domain/clock.ts'), ''),
    'another name of a source': async () => {
      await rm(path.join(root, 'workflows/intent/workflow.ts'));
      await writeFile(path.join(root, 'workflows/intent/other.ts'), 'as it was');
    },
    'other packages': () => writeFile(path.join(root, 'package-lock.json'), 'changed'),
    'a build that says nothing of its sources': () =>
      rm(path.join(root, 'dist/workflow-bundle.sources')),
  };
  for (const [what, change] of Object.entries(CHANGES)) {
    it(`is left alone, and the worker says so, after ${what}`, async () => {
      await build();
      await change();
      const said: string[] = [];
      const found = await currentBundle(root, (line) => said.push(line));
      assert.deepEqual([found, said], [undefined, [OUT_OF_DATE]]);
    });
  }
});
