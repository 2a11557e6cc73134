import assert from 'node:assert/strict';
import { ERASED_TEXT } from '../../../contracts/constants/erasure.js';
import type { IntentErasure } from '../../../contracts/log/erasure.js';
import { intentSchema } from '../../../contracts/intent/intent.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { settledRecordSchema } from '../../../contracts/suspension/suspension.js';
import {
  checkSettled,
  erasedEvent,
  erasedIntent,
  erasedRow,
  erasureEvent,
  identityOf,
  isStillErased,
} from '../../../domain/intent/erasure.js';
import { isErased, isIntact, sealTimelineEntry } from '../../../domain/log/seal.js';
import { judgeRecord } from '../../../domain/openintent/record-rule.js';
import { erasedRecord } from '../../../domain/suspension/record/erasure.js';
import { aRecord, anIntent, instant, openedRow, SETTLEMENT, settledRow } from '../../store/rows.js';
import { refused } from '../samples.js';
import { draft, seal } from '../log/chain-samples.js';

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
    const sealed = sealTimelineEntry(RECORD.id, delivered, null, DATA);
    const rows: JournalRow[] = [
      { kind: 'event', event: seal(draft(1, { mail: DATA })) },
      { kind: 'intent', intent, last_sequence: 3, creation_hash: body_hash },
      opened,
      { ...settledRow(RECORD.id, 1), settlement: { ...SETTLEMENT, response: DATA, reason: DATA } },
      { ...settledRow(RECORD.id, 1), answer: { key: 'r:1', body_hash } },
      { kind: 'timeline', suspension_id: RECORD.id, entry: delivered, seal: sealed },
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
    const { field, accepted } = refused(checkSettled(true, 'state'));
    assert.deepEqual([field, accepted], ['state', 'a question that is settled']);
  });
});

describe('what is left of an intent whose personal data is erased', () => {
  it('is a version later, and has nothing of an abandonment', () => {
    const intent = anIntent({ abandonment_reason: DATA, version: 7 });
    const { abandonment_reason: _, ...rest } = intent;
    assert.deepEqual(erasedIntent(intent, AT), {
      ...rest,
      title: ERASED_TEXT,
      description: null,
      state: {},
      constraints: {},
      version: 8,
      updated_at: AT,
    });
  });

  it('is of the record of its question what is a name, a number or an instant', () => {
    const name = 'x'.repeat(200);
    const slot = (responded_by: string) => {
      const record = { id: 'x', timeout_seconds: 60, question: DATA, responded_by };
      return erasedIntent(anIntent({ state: { _suspension: record } }), AT).state['_suspension'];
    };
    const left = { id: 'x', timeout_seconds: 60, question: ERASED_TEXT, erased_at: AT };
    assert.deepEqual(slot(name), { ...left, responded_by: name });
    assert.deepEqual(slot(`${name}x`), left);
  });

  it('is no record, where the state has something else in its place', () => {
    for (const slot of [DATA, null, [DATA]]) {
      const { state } = erasedIntent(anIntent({ state: { _suspension: slot } }), AT);
      assert.deepEqual(state, { _suspension: { question: ERASED_TEXT, erased_at: AT } });
    }
  });

  it('is, of a row to write, the version that the row had', () => {
    const intent = anIntent({ version: 7 });
    const row = { kind: 'intent', intent, last_sequence: 3, head_hash: 'sha256:h' } as const;
    assert.deepEqual(erasedRow({ ...row, creation_hash: DATA }, AT), {
      ...row,
      intent: { ...erasedIntent(intent, AT), version: 7 },
    });
    const event = seal(draft(1, { mail: DATA }));
    assert.deepEqual(erasedRow({ kind: 'event', event }, AT), {
      kind: 'event',
      event: erasedEvent(event),
    });
  });
});

describe('an event whose payload is erased', () => {
  it('still says what it is about, where that tells it from others', () => {
    const identity = { suspension_id: 's', approval_id: 'a', attempt: 2 };
    const event = seal(draft(1, { ...identity, notify_to: DATA, value: DATA }));
    assert.deepEqual(identityOf(event), { ...erasedEvent(event), payload: identity });
    const other = seal(draft(1, { attempt: 2, mail: DATA }));
    assert.deepEqual(identityOf(other).payload, { attempt: 2 });
  });

  it('has neither payload nor salt, and says so', () => {
    const { payload_salt: _, ...event } = seal(draft(1, { mail: DATA }));
    const left = erasedEvent({ ...event, payload_salt: 'salt' });
    assert.deepEqual(left, { ...event, payload: {}, erased: true });
    assert.equal('payload_salt' in left, false);
  });
});

describe('the record of an erasure', () => {
  it('says up to which event, and by whom', () => {
    assert.deepEqual(erasureEvent(7, 'root'), {
      event_type: 'personal_data_erased',
      actor: 'root',
      payload: { through_sequence: 7 },
    });
  });

  it('answers the same request again until something else is recorded', () => {
    const erasure = { event_sequence: 8 } as IntentErasure;
    assert.deepEqual(
      [isStillErased(erasure, 8), isStillErased(erasure, 9), isStillErased(undefined, 8)],
      [true, false, false],
    );
  });
});
