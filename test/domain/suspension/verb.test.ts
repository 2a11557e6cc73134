import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { jsonBytes, textIn } from '../../../domain/kernel/json.js';
import { checkRoom } from '../../../domain/suspension/people/verb.js';
import { OPENED_AT, granted, refused } from '../samples.js';

function claimed(text: string): TimelineEntry {
  return { sequence: 1, at: OPENED_AT, kind: 'claimed', detail: { text } };
}

describe('the room of a timeline', () => {
  it('ends with the byte that the limit says', () => {
    const detail = { claimed_by: 'alice' };
    const most = LIMITS.verbsBytes - jsonBytes([claimed('')]) - jsonBytes(detail);
    granted(checkRoom([claimed('x'.repeat(most))], detail));
    const { code, accepted } = refused(checkRoom([claimed('x'.repeat(most + 1))], detail));
    assert.equal(code, 'too_many_changes');
    assert.match(accepted ?? '', /bytes of JSON for all that is done/);
  });
});

describe('a text of an entry', () => {
  it('is none where the detail has something else', () => {
    assert.equal(textIn({ text: 'Yes.' }, 'text'), 'Yes.');
    assert.equal(textIn({ text: 1 }, 'text'), undefined);
    assert.equal(textIn({}, 'text'), undefined);
  });
});
