import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import { instantAfter, openSuspension } from '../support/suspensions.js';
import { World } from '../support/world.js';

const WINDOW = { timeout_seconds: 600 };

/** What a question is left to, the policy its record keeps, and what its intent becomes. */
const FALLBACKS: readonly (readonly [string, Partial<SuspendBody>, string, string])[] = [
  [
    'complete_with_fallback',
    { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' },
    'complete_with_fallback',
    'active',
  ],
  [
    'use_default_and_continue',
    { fallback_policy: 'use_default_and_continue', fallback_value: 'deny' },
    'use_default_and_continue',
    'active',
  ],
  [
    'the final policy of its ladder',
    {
      fallback_policy: 'fail',
      fallback_value: 'deny',
      retry_policy: {
        max_attempts: 1,
        interval_seconds: 600,
        final_fallback_policy: 'use_default_and_continue',
      },
    },
    'use_default_and_continue',
    'active',
  ],
  ['fail', { fallback_policy: 'fail' }, 'fail', 'abandoned'],
];

describe('suspension fallback', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('writes the settled record once, with its revision [AM-03]', async () => {
    const { handle, id } = await openSuspension(world, WINDOW);
    await world.sleep('601 s');
    const { resolution, settled_by, settled_at } = await handle.result();
    const rows = world.activities.rows.filter(
      (row) => row.kind === 'suspension_settled' && row.suspension_id === id,
    );
    assert.deepEqual(rows, [
      {
        kind: 'suspension_settled',
        suspension_id: id,
        revision: 1,
        settlement: { resolution, settled_by, settled_at },
      },
    ]);
  });

  for (const [name, body, policy, status] of FALLBACKS) {
    it(`expires by the clock into ${name} [AM-03, AM-04, R26-47, R26-53, R25-57]`, async () => {
      const intent = await world.openIntent();
      const view = await world.ask(intent, { ...WINDOW, ...body });
      await world.sleep('601 s');
      const handle = world.suspension(view.id);
      await handle.result();
      const settled = (await handle.query(recordQuery)).record as SettledRecord;
      assert.deepEqual(
        [settled.resolution, settled.settled_by, settled.fallback_policy],
        ['expired', 'clock', policy],
      );
      assert.equal('response' in settled, false);
      assert.equal('responded_by' in settled, false);
      assert.ok(settled.settled_at >= instantAfter({ view }, 600_000));
      await world.sleep('10 s');
      const record = world.activities.intentOf(view.intent_id);
      assert.equal(record.status, status);
      assert.deepEqual(record.state['_suspension'], settled);
    });
  }
});
