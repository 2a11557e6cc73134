import assert from 'node:assert/strict';
import { CatchUp } from '../../activities/reconcile.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { progressRow } from '../store/rows.js';

type Answer = 'late' | 'up_to_date' | 'silent' | 'fails';

describe('bringing open questions up to date', () => {
  /** Asks questions in turn that answer so, each named by its place. */
  async function bring(answers: readonly Answer[]) {
    const asked: string[] = [];
    const rows: JournalRow[] = [];
    const notes: string[] = [];
    const up = new CatchUp(
      {
        progressOf: async ({ id }) => {
          asked.push(id);
          const answer = answers[Number(id)];
          if (answer === 'fails') throw new Error('too many calls');
          if (answer === 'silent') return 'no_worker';
          return answer === 'late' ? progressRow(id, 4, 2) : undefined;
        },
        writeRows: async (written) => void rows.push(...written),
      },
      (reason) => notes.push(reason),
    );
    const findings: unknown[] = [];
    for (const id of answers.keys()) {
      findings.push(await up.bring({ id: `${id}`, space: 'team-b' }));
    }
    return { asked: asked.length, rows, notes, findings, unasked: up.unasked };
  }

  it('writes how far one has come', async () => {
    const { rows, findings, unasked } = await bring(['up_to_date', 'late']);
    assert.deepEqual([rows, unasked], [[progressRow('1', 4, 2)], 0]);
    assert.deepEqual(findings, [undefined, 'behind']);
  });

  it('asks no more after three in a row without a worker', async () => {
    const { asked, unasked } = await bring(['silent', 'silent', 'silent', 'late', 'late']);
    assert.deepEqual([asked, unasked], [3, 5]);
  });

  it('goes on where a worker answers in between', async () => {
    const { asked, unasked, rows } = await bring([
      'silent',
      'silent',
      'up_to_date',
      'silent',
      'silent',
      'late',
    ]);
    assert.deepEqual([asked, unasked, rows.length], [6, 4, 1]);
  });

  it('leaves out one that fails, says why, and asks the others', async () => {
    const { asked, unasked, rows, notes } = await bring([
      'fails',
      'fails',
      'fails',
      'fails',
      'late',
    ]);
    assert.deepEqual([asked, unasked, rows.length], [5, 4, 1]);
    assert.deepEqual([...new Set(notes)], ['too many calls']);
  });
});
