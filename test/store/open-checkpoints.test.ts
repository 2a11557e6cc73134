import assert from 'node:assert/strict';
import { writeRows } from '../../store/journal-writer.js';
import { listApprovals } from '../../store/queries/approval.js';
import { eraseSuspension } from '../../store/queries/erasure/erasure.js';
import { useStore } from '../support/store.js';
import { approvalOf } from './retention-samples.js';
import { instant } from './rows.js';

const LATER = '2999-01-01T00:00:00.000Z';

/** An approval whose agent has left a checkpoint, to which it may come back until an instant. */
function left(redeemable_until?: string, status: 'hibernated' | 'resumed' = 'hibernated') {
  const checkpoint = { status, token: 0 } as const;
  const until = redeemable_until !== undefined && { redeemable_until };
  return approvalOf({ redemption: { checkpoint, request_hash: null, calls: [], ...until } });
}

describe('approvals to which an agent has to come back', () => {
  const store = useStore('emptied');

  async function stored(
    one: ReturnType<typeof approvalOf>,
  ): Promise<ReturnType<typeof approvalOf>> {
    await writeRows(store.db, one.rows);
    return one;
  }

  async function open(): Promise<readonly string[]> {
    const page = { limit: 10, offset: 0, checkpoint: 'open' } as const;
    const { rows } = await listApprovals(store.db, page);
    return rows.map(({ approval_id }) => approval_id).sort();
  }

  it('are those that it has left, and may come back to', async () => {
    const [endless, later] = [await stored(left()), await stored(left(LATER))];
    await stored(left(undefined, 'resumed'));
    await stored(approvalOf());
    assert.deepEqual(await open(), [endless.id, later.id].sort());
  });

  it('are none whose time is over', async () => {
    await stored(left(instant(20)));
    assert.deepEqual(await open(), []);
  });

  it('are none that were erased', async () => {
    const one = await stored(left(LATER));
    const order = { by: 'root', at: instant(30) };
    const ruling = await eraseSuspension(store.db, one.question.id, order);
    assert.ok(ruling?.ok, JSON.stringify(ruling));
    assert.deepEqual(await open(), []);
  });
});
