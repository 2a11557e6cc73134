import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Vote } from '../../../contracts/suspension/decision.js';
import { KEPT_EDIT_BYTES, editTrace } from '../../../domain/approval/proposal/edits.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { partWith } from './wires.js';

const call = (id: string, args: Record<string, string | number>) => ({
  id,
  tool: 'wire',
  arguments: args,
});
const VOTE: Vote = {
  principal: 'ana',
  actor: 'ana',
  value: 'approved',
  question_version: 1,
  counted_at: '2026-11-25T10:00:00.000Z',
};

describe('what the timeline keeps of an edit', () => {
  const before = partWith({
    calls: [call('c1', { amount: 5_000, to: 'DE1' }), call('c2', { amount: 7, memo: 'x' })],
  });

  it('is which calls were edited, and what was there before', () => {
    const after = partWith({
      calls: [call('c1', { amount: 5_000, to: 'DE1' }), call('c2', { amount: 3, cc: 'bo' })],
    });
    assert.deepEqual(editTrace(before, after, []), {
      edits: [
        {
          call_id: 'c2',
          tool: 'wire',
          before: { amount: 7, memo: 'x' },
          after: { amount: 3, cc: 'bo' },
        },
      ],
    });
  });

  it('are the notes with the votes that no longer count', () => {
    const votes = [
      { ...VOTE, comment: 'Much.\nToo much.' },
      { ...VOTE, actor: 'bo' },
    ];
    assert.deepEqual(editTrace(before, before, votes), {
      edits: [],
      notes_before: [{ actor: 'ana', comment: 'Much.\nToo much.' }],
    });
  });

  it('names the call alone whose arguments are too large, and stays small', () => {
    const large = partWith({
      calls: [
        call('c1', { amount: 1, to: 'x'.repeat(KEPT_EDIT_BYTES) }),
        call('c2', { amount: 2 }),
      ],
    });
    const { edits } = editTrace(before, large, []);
    assert.deepEqual(edits, [
      { call_id: 'c1', tool: 'wire' },
      { call_id: 'c2', tool: 'wire', before: { amount: 7, memo: 'x' }, after: { amount: 2 } },
    ]);
    const many = (amount: number) =>
      partWith({
        calls: Array.from({ length: 100 }, (_, at) => call(`c${at}`.repeat(60), { amount })),
      });
    const votes = Array.from({ length: 12 }, () => ({ ...VOTE, comment: 'x'.repeat(900) }));
    const kept = editTrace(many(1), many(2), votes);
    assert.ok(jsonBytes(kept) <= KEPT_EDIT_BYTES + 60, `${jsonBytes(kept)}`);
    const { edits: named, notes_before: notes, left_out } = kept as Record<string, unknown[]>;
    assert.equal((named?.length ?? 0) + (notes?.length ?? 0) + Number(left_out), 112);
    assert.ok((notes?.length ?? 0) >= 9);
  });
});
