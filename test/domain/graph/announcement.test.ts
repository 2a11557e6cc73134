import assert from 'node:assert/strict';
import type { JsonObject } from '../../../contracts/primitives.js';
import { announcementOf, isAnnouncement } from '../../../domain/graph/announcement.js';
import { isWorkflowId } from '../../../domain/kernel/message-form.js';
import { SETTLEMENT, aRecord, anIntent } from '../../store/rows.js';

const AT = { last_sequence: 3, question: undefined, held_upstream: false, holds: 1 };

describe('an announcement', () => {
  const record = aRecord();
  const question = { suspension_id: record.id, attempt: 2 };
  const suspended = anIntent({
    status: 'suspended_awaiting_input',
    version: 3,
    state: { _suspension: record as unknown as JsonObject },
  });

  it('says what the intent is and where its log stands', () => {
    const intent = anIntent({ version: 4 });
    assert.deepEqual(announcementOf(intent, AT), {
      intent_id: intent.id,
      version: 4,
      last_sequence: 3,
      status: 'active',
      held: false,
      holds: 1,
      suspension: null,
    });
  });

  it('names the open question and its attempt', () => {
    const { held, suspension } = announcementOf(suspended, { ...AT, question });
    assert.equal(held, true);
    assert.deepEqual(suspension, {
      ...question,
      suspended_at: record.suspended_at,
      expires_at: record.expires_at,
      resolution: null,
      settled_at: null,
    });
  });

  it('goes by our clock, not by that of an agent which wrote the record itself [R26-26, R26-27]', () => {
    const ours = {
      suspended_at: '2026-11-01T10:00:00.000Z',
      expires_at: '2026-11-01T11:00:00.000Z',
    };
    const { suspended_at: suspended_since } = ours;
    const asked = { ...AT, suspended_since, question: { ...question, ...ours } };
    const announced = announcementOf(suspended, asked);
    assert.equal(announced.suspended_since, suspended_since);
    const { suspended_at, expires_at } = announced.suspension ?? assert.fail();
    assert.deepEqual({ suspended_at, expires_at }, ours);
    const lasting = { ...question, suspended_at, expires_at: null };
    assert.equal(
      announcementOf(suspended, { ...AT, question: lasting }).suspension?.expires_at,
      null,
    );
  });

  it('names the last question with its outcome', () => {
    const settled = { ...record, ...SETTLEMENT } as unknown as JsonObject;
    const resumed = anIntent({ state: { _suspension: settled } });
    const { held, suspension } = announcementOf(resumed, { ...AT, question });
    assert.equal(held, false);
    assert.equal(suspension?.resolution, 'responded');
    assert.equal(suspension.settled_at, SETTLEMENT.settled_at);
  });

  it('takes no record for a question that was not opened', () => {
    assert.equal(announcementOf(suspended, AT).suspension, null);
    const other = { suspension_id: 'another', attempt: 1 };
    assert.equal(announcementOf(suspended, { ...AT, question: other }).suspension, null);
  });

  it('holds others up while it is blocked by what it depends on, not while blocked by hand', () => {
    const blocked = anIntent({ status: 'blocked' });
    assert.equal(announcementOf(blocked, AT).held, false);
    assert.equal(announcementOf(blocked, { ...AT, held_upstream: true }).held, true);
    assert.equal(announcementOf(anIntent(), { ...AT, held_upstream: true }).held, false);
  });

  it('is recognised by its form', () => {
    const whole = announcementOf(suspended, { ...AT, question });
    assert.equal(isAnnouncement(whole), true);
    for (const broken of [
      null,
      'text',
      {},
      { ...whole, version: '3' },
      { ...whole, held: undefined },
      { ...whole, holds: null },
      { ...whole, status: 'gone' },
      { ...whole, suspension: undefined },
      { ...whole, suspension: { ...whole.suspension, suspended_at: 'soon' } },
      { ...whole, abandonment_reason: 7 },
      { ...whole, suspended_since: 'soon' },
    ]) {
      assert.equal(isAnnouncement(broken), false, JSON.stringify(broken));
    }
    assert.equal(isWorkflowId('portfolio-1'), true);
    for (const broken of ['', 7, undefined, 'x'.repeat(1_001)]) {
      assert.equal(isWorkflowId(broken), false);
    }
  });
});
