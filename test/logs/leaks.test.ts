import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SEEDS, findLeaks, seedsIn } from '../support/secrets.js';

const names = Object.keys(SEEDS) as (keyof typeof SEEDS)[];

describe('the search for seeded secrets', () => {
  for (const name of names) {
    const seed = SEEDS[name];
    const body = JSON.stringify({ n: 1, value: seed });
    const forms: Readonly<Record<string, string>> = {
      'clear text': `{"msg":"took ${seed}!"}`,
      hexadecimal: Buffer.from(body).toString('hex'),
      base64: Buffer.from(body).toString('base64'),
      'base64, one further': Buffer.from(` ${body}`).toString('base64'),
      'base64 for URLs, two further': Buffer.from(`  ${body}`).toString('base64url'),
    };
    it(`finds ${name} in every form`, () => {
      for (const [form, line] of Object.entries(forms)) {
        assert.deepEqual(seedsIn(line), [name], form);
      }
    });
  }

  it('finds none where there is none', () => {
    for (const line of ['', 'seeded', 'question approve context', names.join(' ')]) {
      assert.deepEqual(seedsIn(line), []);
    }
  });

  describe('in a folder of logs', () => {
    let folder = '';
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-leaks-'));
      await writeFile(
        path.join(folder, 'api.log'),
        `fine\n${SEEDS.context} ${SEEDS.reason}\nfine\n`,
      );
      await writeFile(path.join(folder, 'empty.log'), '\n');
    });
    after(() => rm(folder, { recursive: true }));

    it('names place and seed, not the value', async () => {
      assert.deepEqual(await findLeaks(folder, ['api']), [
        'api.log, line 2, holds the seed context',
        'api.log, line 2, holds the seed reason',
      ]);
    });

    it('is not content with a log that is empty or missing', async () => {
      const [empty, missing] = await findLeaks(folder, ['empty', 'worker']);
      assert.equal(empty, 'empty.log has no line: nothing is proven');
      assert.equal(missing, 'worker.log has no line: nothing is proven');
    });
  });
});
