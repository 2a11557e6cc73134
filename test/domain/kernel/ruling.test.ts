import assert from 'node:assert/strict';
import { checkAhead, checkFieldSizes, checkIfMatch } from '../../../domain/kernel/ruling.js';
import { plusSeconds } from '../../../domain/kernel/time.js';
import { OPENED_AT, granted, refused } from '../samples.js';

describe('the version that a write names', () => {
  it('is accepted if it is the current one', () => {
    assert.equal(granted(checkIfMatch(3, 3, {})), true);
  });

  for (const named of [2, 4]) {
    it(`is refused with the current one and the state: ${named} of 3`, () => {
      const { detail: _, ...refusal } = refused(checkIfMatch(3, named, { status: 'active' }));
      assert.deepEqual(refusal, {
        code: 'version_conflict',
        field: 'If-Match',
        accepted: '3',
        state: { current_version: 3, status: 'active' },
      });
    });
  }
});

describe('the size of a field', () => {
  const TEN_BYTES = 'x'.repeat(8);

  it('may be the limit', () => {
    assert.equal(granted(checkFieldSizes({ a: TEN_BYTES, b: TEN_BYTES }, 10)), true);
  });

  it('is refused above the limit, for the first field that is too large', () => {
    const fields = { a: TEN_BYTES, b: `${TEN_BYTES}x`, c: `${TEN_BYTES}x` };
    const { code, field } = refused(checkFieldSizes(fields, 10));
    assert.deepEqual([code, field], ['invalid_request', 'b']);
  });

  it('is nothing for a field that is left out', () => {
    assert.equal(granted(checkFieldSizes({ a: undefined }, 0)), true);
  });
});

describe('an instant that must lie ahead', () => {
  const TEXTS = { field: 'expires_at', past: 'It is over.', far: 'It is too far.' };
  const check = (seconds: number) =>
    checkAhead(plusSeconds(OPENED_AT, seconds), OPENED_AT, 60, TEXTS);

  for (const seconds of [0.001, 60]) {
    it(`is accepted ${seconds} s after now, in a window of 60 s`, () => {
      assert.equal(granted(check(seconds)), true);
    });
  }

  for (const [seconds, code, detail] of [
    [-1, 'deadline_in_past', TEXTS.past],
    [0, 'deadline_in_past', TEXTS.past],
    [60.001, 'invalid_request', TEXTS.far],
  ] as const) {
    it(`is refused as ${code} ${seconds} s after now, in a window of 60 s`, () => {
      const refusal = refused(check(seconds));
      assert.deepEqual([refusal.code, refusal.detail], [code, detail]);
      assert.equal(refusal.field, 'expires_at');
    });
  }
});
