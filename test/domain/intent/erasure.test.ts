import assert from 'node:assert/strict';
import { ERASED_TEXT } from '../../../contracts/constants/erasure.js';
import { intentSchema } from '../../../contracts/intent.js';
import type { JournalRow } from '../../../contracts/journal.js';
import { settledRecordSchema } from '../../../contracts/suspension.js';
import {
  checkSettled,
  erasedEvent,
  erasedIntent,
  erasedRow,
} from '../../../domain/intent/erasure.js';
import { isErased, isIntact } from '../../../domain/intent/event-seal.js';
import { judgeRecord } from '../../../domain/openintent/record-rule.js';
import { erasedRecord } from '../../../domain/suspension/erasure.js';
import { aRecord, anIntent, instant, openedRow, SETTLEMENT, settledRow } from '../../store/rows.js';
import { draft, seal } from './event-chain-samples.js';

const AT = instant(500);
/** Stands in every text that somebody could write. */
const DATA = 'ada@example.com';

const RECORD = {
  ...aRecord({
    question: `Refund ${DATA}?`,
    context: { mail: DATA },
    channel_hint: DATA,
    choices: [{ value: DATA, label: DATA }],
    fallback_value: DATA,
    on_behalf_of: DATA,
    retry_policy: {
      max_attempts: 2,
      strategy: 'fixed',
      escalation_ladder: [{ attempt: 1, channel_hint: DATA, notify_to: DATA }],
      final_fallback_policy: 'fail',
    },
  }),
  ...SETTLEMENT,
  response: DATA,
  metadata: { note: DATA },
  reason: DATA,
};

describe('erasing the personal data of an intent', () => {
  const intent = anIntent({
    title: DATA,
    description: DATA,
    state: { mail: DATA, _suspension: RECORD as never },
    constraints: { mail: DATA },
    abandonment_reason: DATA,
    owner: 'agent-1',
    governance_policy: { allowed_agents: ['agent-1'] },
  });

  it('leaves a whole intent without anything that somebody wrote', () => {
    const left = erasedIntent(intent, AT);
    assert.equal(JSON.stringify(left).includes(DATA), false);
    assert.deepEqual(intentSchema.parse(left), left);
    const { title, version, status, owner, governance_policy } = left;
    assert.deepEqual([title, version, status, owner], [ERASED_TEXT, 2, 'active', 'agent-1']);
    assert.deepEqual(governance_policy, intent.governance_policy);
  });

  it('keeps the record that nobody may forge an answer into', () => {
    const { _suspension: slot } = erasedIntent(intent, AT).state;
    const forged = { ...(slot as object), response: 'yes' };
    const ruling = judgeRecord(slot, forged, { questionIsOpen: false, lastId: RECORD.id });
    assert.equal(ruling.ok, false);
  });

  it('takes what an agent wrote in a form of its own for no record', () => {
    const _suspension = { id: 'x', resolution: { mail: DATA }, responded_by: DATA.repeat(50) };
    const left = erasedIntent(anIntent({ state: { _suspension } }), AT);
    assert.deepEqual(left.state, {
      _suspension: { id: 'x', question: ERASED_TEXT, erased_at: AT },
    });
    assert.deepEqual(erasedIntent(anIntent({ state: { mail: DATA } }), AT).state, {});
  });

  it('leaves a settled record that says how it ended, and who decided', () => {
    const left = erasedRecord(RECORD, AT);
    assert.equal(JSON.stringify(left).includes(DATA), false);
    assert.deepEqual(settledRecordSchema.parse(left), left);
    const { resolution, responded_by, erased_at } = left as Record<string, unknown>;
    assert.deepEqual([resolution, responded_by], ['responded', SETTLEMENT.responded_by]);
    assert.equal(erased_at, AT);
    assert.deepEqual(erasedRecord(left, instant(900)), left, 'once more changes nothing');
  });

  it('leaves events that are intact and erased, and the record of an erasure', () => {
    const left = erasedEvent(seal(draft(1, { mail: DATA })));
    assert.deepEqual([isErased(left), isIntact(left)], [true, true]);
    const erasure = seal({ ...draft(2), event_type: 'personal_data_erased' });
    assert.deepEqual(erasedEvent(erasure), erasure);
  });

  it('reaches every row that is not written yet', () => {
    const body_hash = `hash of ${DATA}`;
    const opened = {
      ...openedRow(intent.id, RECORD),
      request: { key: 'k', body_hash },
    } as JournalRow;
    const delivered = { sequence: 1, at: AT, kind: 'delivered', detail: { to: DATA } } as const;
    const rows: JournalRow[] = [
      { kind: 'event', event: seal(draft(1, { mail: DATA })) },
      { kind: 'intent', intent, last_sequence: 3, creation_hash: body_hash },
      opened,
      { ...settledRow(RECORD.id, 1), settlement: { ...SETTLEMENT, response: DATA, reason: DATA } },
      { ...settledRow(RECORD.id, 1), answer: { key: 'r:1', body_hash } },
      { kind: 'timeline', suspension_id: RECORD.id, entry: delivered },
    ];
    for (const row of rows) {
      const left = erasedRow(row, AT);
      assert.equal(left.kind, row.kind);
      assert.equal(JSON.stringify(left).includes(DATA), false, row.kind);
    }
    const stale = erasedRow(rows[1] as JournalRow, AT);
    assert.equal(stale.kind === 'intent' && stale.intent.version, intent.version);
  });

  it('is refused while a question is open', () => {
    const ruling = checkSettled(true, 'status');
    const refusal = ruling.ok ? undefined : ruling.refusal;
    assert.deepEqual(
      [refusal?.code, refusal?.field, refusal?.accepted],
      ['question_open', 'status', 'an intent whose questions are all settled'],
    );
    assert.equal(checkSettled(false, 'status').ok, true);
  });
});
