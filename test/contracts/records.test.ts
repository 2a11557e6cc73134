import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { intentStatusSchema } from '../../contracts/intent/intent.js';
import { suspendRequestSchema } from '../../contracts/suspension/requests.js';
import { suspensionRecordSchema } from '../../contracts/suspension/suspension.js';
import { openRecord } from '../../domain/suspension/asking/schedule.js';

describe('records', () => {
  it('know one status more than RFC-0001 [R25-04]', () => {
    const { options } = intentStatusSchema;
    const before = ['draft', 'active', 'blocked', 'completed', 'abandoned'];
    const added = options.filter((status) => !before.includes(status));
    assert.deepEqual(added, ['suspended_awaiting_input']);
    assert.equal(options.length, before.length + 1);
  });

  it('take a question without a response_type for a choice [R25-102]', () => {
    assert.equal(suspendRequestSchema.parse({ question: 'Q?' }).response_type, 'choice');
  });

  it('hold no retry policy where none was given, and one window [R25-105]', () => {
    const draft = {
      question: 'Q?',
      response_type: 'text',
      timeout_seconds: 60,
      fallback_policy: 'fail',
    } as const;
    const id = '00000000-0000-4000-8000-000000000000';
    const { record, schedule } = openRecord(draft, id, '2026-03-24T10:00:00.000Z');
    assert.deepEqual(suspensionRecordSchema.parse(record), record);
    assert.equal('retry_policy' in record, false);
    assert.equal(schedule.attempts.length, 1);
    assert.equal(record.expires_at, '2026-03-24T10:01:00.000Z');
  });

  it('ignore fields they do not know, so that additions break nobody [R25-103]', () => {
    const parsed = suspendRequestSchema.parse({ question: 'Q?', some_day: true });
    assert.equal('some_day' in parsed, false);
  });
});
