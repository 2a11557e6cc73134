import assert from 'node:assert/strict';
import { isReport } from '../../domain/intent-report.js';
import { ID, settledWith } from './samples.js';

const ATTEMPT = {
  suspension_id: ID,
  report_sequence: 1,
  kind: 'attempt',
  attempt: { attempt: 2, ladder: [{ attempt: 2, channel_hint: 'email' }] },
  max_attempts: 3,
  skipped: false,
};
const SETTLED = {
  suspension_id: ID,
  report_sequence: 2,
  kind: 'settled',
  record: settledWith(),
  attempt: 1,
};

describe('a report', () => {
  it('is one when it tells an attempt or an end', () => {
    assert.deepEqual([isReport(ATTEMPT), isReport(SETTLED)], [true, true]);
  });

  const NONE: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['null', null],
    ['text', 'settled'],
    ['a list', []],
    ['no id', { ...ATTEMPT, suspension_id: 7 }],
    ['no sequence', { ...ATTEMPT, report_sequence: '1' }],
    ['another kind', { ...ATTEMPT, kind: 'reminder' }],
    ['an attempt without a ladder', { ...ATTEMPT, attempt: { attempt: 2 } }],
    ['a ladder of nothing', { ...ATTEMPT, attempt: { attempt: 2, ladder: [null] } }],
    ['no count', { ...ATTEMPT, max_attempts: null }],
    ['a record without an instant', { ...ATTEMPT, record: { id: ID } }],
    ['no mark', { ...ATTEMPT, skipped: undefined }],
    ['no record', { ...SETTLED, record: null }],
    ['the record of another', { ...SETTLED, record: settledWith({ id: 'x' }) }],
    ['no resolution', { ...SETTLED, record: { ...settledWith(), resolution: 'won' } }],
    ['no policy', { ...SETTLED, record: { ...settledWith(), fallback_policy: undefined } }],
    ['no instant', { ...SETTLED, record: settledWith({ suspended_at: 'soon' }) }],
    ['no response type', { ...SETTLED, record: { ...settledWith(), response_type: 'song' } }],
    ['choices of nothing', { ...SETTLED, record: { ...settledWith(), choices: [null] } }],
    ['no attempt', { ...SETTLED, attempt: undefined }],
  ];
  for (const [what, message] of NONE) {
    it(`is none with ${what}`, () => {
      assert.equal(isReport(message), false);
    });
  }
});
