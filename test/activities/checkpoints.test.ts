import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, it } from 'mocha';
import { deliverCheckpoints, signCheckpoint } from '../../activities/checkpoints.js';
import type { CheckpointWork } from '../../activities/ports/upkeep.js';
import type { Checkpoint } from '../../contracts/log/checkpoint.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { signed } from '../../store/take-checkpoint.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const now = () => new Date('2026-11-22T10:00:00.000Z');
const config = serverConfigSchema.parse({
  checkpoints: {
    file: 'checkpoints.ndjson',
    webhook: { url: 'https://example.com/checkpoints', secrets: [SECRET] },
  },
});

function checkpoint(number: number): Checkpoint {
  const root_hash = `sha256:${'A'.repeat(43)}`;
  const signed_at = '2026-11-22T10:00:00.000Z';
  const { public_key } = KEY;
  return signed(KEY, {
    number,
    signed_at,
    tree_size: 1,
    root_hash,
    previous_hash: null,
    public_key,
  });
}

/** Two places that get three checkpoints. */
class Places {
  readonly reached = { file: 0, webhook: 0 };
  readonly filed: string[] = [];
  readonly posted: string[] = [];
  webhookIsAway = false;
  /** Whether the note of a delivery is lost, as if the worker died before it. */
  forgets = false;

  readonly work: CheckpointWork = {
    sign: async () => undefined,
    firstUndelivered: async (place) =>
      this.reached[place] < 3 ? checkpoint(this.reached[place] + 1) : undefined,
    noteDelivered: async (number, place) => {
      if (this.forgets) throw new Error('killed');
      this.reached[place] = number;
    },
    append: async (file, line) => {
      assert.equal(file, 'checkpoints.ndjson');
      this.filed.push(line);
    },
    post: async ({ id, secrets }) => {
      assert.deepEqual(secrets, [SECRET]);
      if (this.webhookIsAway) throw new Error('away');
      this.posted.push(id);
      return {};
    },
  };
}

describe('delivering checkpoints', () => {
  async function deliver({ work: checkpoints }: Places): Promise<void> {
    await new MockActivityEnvironment().run(() => deliverCheckpoints({ checkpoints, config, now }));
  }

  it('takes each to the file and the webhook, in order', async () => {
    const places = new Places();
    await deliver(places);
    const lines = [1, 2, 3].map((number) => `${JSON.stringify(checkpoint(number))}\n`);
    assert.deepEqual(places.filed, lines);
    assert.deepEqual(places.posted, ['checkpoint-1', 'checkpoint-2', 'checkpoint-3']);
  });

  it('loses nothing while a place is away, and does not hold up the other', async () => {
    const places = new Places();
    places.webhookIsAway = true;
    await assert.rejects(deliver(places), /away/);
    assert.deepEqual([places.filed.length, places.posted], [3, []]);
    places.webhookIsAway = false;
    await deliver(places);
    assert.deepEqual([places.filed.length, places.posted.length], [3, 3]);
  });

  it('delivers again what it could not note', async () => {
    const places = new Places();
    places.forgets = true;
    await assert.rejects(deliver(places), /killed/);
    places.forgets = false;
    await deliver(places);
    assert.equal(places.filed.length, 4);
    assert.equal(places.filed[0], places.filed[1]);
  });

  it('has nothing to do without a place', async () => {
    const places = new Places();
    const nowhere = serverConfigSchema.parse({});
    await new MockActivityEnvironment().run(() =>
      deliverCheckpoints({ checkpoints: places.work, config: nowhere, now }),
    );
    assert.deepEqual([places.filed, places.posted], [[], []]);
  });
});

describe('signing a checkpoint', () => {
  it('is refused for good without a key', async () => {
    const { work: checkpoints } = new Places();
    const signing = new MockActivityEnvironment().run(() => signCheckpoint({ checkpoints }));
    await assert.rejects(signing, { type: 'checkpoints_not_configured', nonRetryable: true });
  });
});
