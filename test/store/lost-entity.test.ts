import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WORKFLOW_LOST } from '../../contracts/constants/statuses.js';
import { createdEvent } from '../../domain/intent/entity.js';
import { isIntact, sealEvent } from '../../domain/log/seal.js';
import { writeRows } from '../../store/journal-writer.js';
import { EventConflictError } from '../../store/queries/event-log.js';
import { abandonLost } from '../../store/queries/work/lost-entity.js';
import { stillOpen } from '../../store/queries/work/unsettled.js';
import { useStore } from '../support/store.js';
import { anEvent, anIntent, instant } from './rows.js';

describe('an intent that lost its workflow, in the store', () => {
  const store = useStore();

  /** An intent of another space with one event. */
  async function anOpenIntent(creation_hash: string) {
    const intent = anIntent();
    const place = { intent_id: intent.id, sequence: 1, created_at: intent.created_at };
    const draft = { principal: 'billing-agent', ...createdEvent(intent), ...place };
    const event = sealEvent(draft, null, 'salt');
    const end = { last_sequence: 1, head_hash: event.event_hash };
    const row = { kind: 'intent', intent, ...end, creation_hash } as const;
    await writeRows(store.db, [{ kind: 'event', event }, row], 'team-b');
    return { id: intent.id, space: 'team-b', head: event.event_hash };
  }

  const storedOf = (id: string) =>
    store.db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('is abandoned once, with an event that is chained to the stored log', async () => {
    const { head, ...placed } = await anOpenIntent('hash');
    const open = [{ type: 'intent', ...placed }] as const;
    assert.deepEqual(await stillOpen(store.db, 'intent', open), open);
    assert.equal(await abandonLost(store.db, 'intent', placed, instant(9)), true);
    assert.equal(await abandonLost(store.db, 'intent', placed, instant(10)), false);
    assert.deepEqual(await stillOpen(store.db, 'intent', open), []);
    const stored = await storedOf(placed.id);
    assert.deepEqual(
      [stored.status, stored.version, stored.last_sequence, stored.creation_hash],
      ['abandoned', 2, 2, 'hash'],
    );
    const events = await store.db
      .selectFrom('events')
      .selectAll()
      .where('intent_id', '=', placed.id)
      .orderBy('sequence')
      .execute();
    const [, last] = events;
    assert.ok(last && events.length === 2);
    assert.deepEqual(
      [last.previous_event_hash, last.event_hash, last.payload['reason']],
      [head, stored.head_hash, WORKFLOW_LOST],
    );
    const { intent_id, sequence, id, event_type, actor, principal, payload } = last;
    const { payload_commitment, payload_salt, created_at, previous_event_hash, event_hash } = last;
    const hashes = { payload_commitment, payload_salt, previous_event_hash, event_hash };
    const told = { id, intent_id, sequence, event_type, actor, principal, payload, created_at };
    assert.ok(isIntact({ ...told, ...hashes }));
  });

  it('stays as it is while its log has an event that the row does not count yet', async () => {
    const { head: _head, ...placed } = await anOpenIntent('hash');
    const late = anEvent({ intent_id: placed.id, sequence: 2 });
    await writeRows(store.db, [{ kind: 'event', event: late }], 'team-b');
    const abandoned = abandonLost(store.db, 'intent', placed, instant(9));
    await assert.rejects(abandoned, EventConflictError);
    assert.equal((await storedOf(placed.id)).status, 'active');
  });

  it('belongs to its own space', async () => {
    const { id } = await anOpenIntent('hash');
    assert.equal(await abandonLost(store.db, 'intent', { id, space: 'team-c' }, instant(9)), false);
  });
});
