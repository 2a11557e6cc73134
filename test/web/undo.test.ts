import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { undoMs } from '../../web/src/state/answering/undo.js';

const NOW = Date.parse('2026-11-28T10:00:00.000Z');
const inMs = (ms: number) => new Date(NOW + ms).toISOString();
const undo = (
  seconds: number,
  deadlines: readonly (string | undefined)[],
  answer: unknown = 'yes',
) => undoMs(seconds, deadlines, answer, NOW);

describe('the time in which an answer can be undone', () => {
  it('is what the person has set, without a deadline or far from it', () => {
    assert.equal(undo(5, [undefined]), 5_000);
    assert.equal(undo(30, [inMs(60_000), undefined]), 30_000);
    assert.equal(undo(0, [undefined]), 0);
  });

  it('is none with less than a minute left for one of the questions, or a deadline within it', () => {
    assert.equal(undo(5, [undefined, inMs(59_999)]), 0);
    assert.equal(undo(5, [inMs(-1)]), 0);
    assert.equal(undo(60, [inMs(60_000)]), 0);
    assert.equal(undo(60, [inMs(60_001)]), 60_000);
  });

  it('is none for an answer that a closing page could not send', () => {
    assert.equal(undo(5, [undefined], 'a'.repeat(59_998)), 5_000);
    assert.equal(undo(5, [undefined], 'a'.repeat(59_999)), 0);
    assert.equal(undo(5, [undefined], 'é'.repeat(30_000)), 0);
  });
});
