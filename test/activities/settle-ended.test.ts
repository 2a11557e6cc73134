import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { QuestionEnd } from '../../activities/ports/reconciliation.js';
import { settleLost, type SettlingDependencies } from '../../activities/settle-ended.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { ID, recordWith } from '../domain/samples.js';

const NOW = new Date('2026-03-24T10:00:00.123Z');
const LOST = {
  resolution: 'cancelled',
  settled_by: 'system',
  reason: 'suspension_lost',
  settled_at: NOW.toISOString(),
} as const;
const ANSWER = {
  resolution: 'responded',
  settled_by: 'operator',
  response: 'yes',
  settled_at: '2026-03-24T09:00:00.000Z',
} as const;
const TOLD = {
  kind: 'suspension_settled',
  suspension_id: ID,
  revision: 3,
  settlement: ANSWER,
} as const satisfies JournalRow;

/** A store that has a question as `stored`, if it has it, and a workflow that has ended so, if it has. */
class Question {
  readonly written: JournalRow[] = [];
  readonly settled: unknown[] = [];
  storeIsDown = false;
  private record: SuspensionRecord | undefined;
  private readonly end: QuestionEnd | undefined;

  constructor(stored?: SuspensionRecord, end?: QuestionEnd) {
    this.record = stored;
    this.end = end;
  }

  settle() {
    return settleLost(this.dependencies, ID, 'default');
  }

  private get dependencies(): SettlingDependencies {
    return {
      store: {
        findSuspension: async () => {
          if (this.storeIsDown) throw new Error('the store is down');
          return this.view;
        },
        settleSuspension: async (id, by) => {
          this.settled.push([id, by]);
          this.record = this.record && { ...this.record, ...by };
        },
      },
      reconciliation: {
        endOf: async () => this.end,
        lookUp: async () => this.closed,
        writeRows: async (rows) => {
          this.written.push(...rows);
          for (const row of rows) this.take(row);
        },
      },
      now: () => NOW,
    };
  }

  /** As the closed workflow would say it. */
  private get closed(): LiveView {
    const settlement = this.end?.kind === 'settled' ? this.end.settlement : {};
    return { record: { ...recordWith(), ...settlement }, attempt: 2 } as LiveView;
  }

  private get view(): LiveView | undefined {
    const { record } = this;
    const state = record && 'resolution' in record ? 'settled' : 'pending';
    return record && ({ record, attempt: 2, state } as LiveView);
  }

  private take(row: JournalRow): void {
    if (row.kind === 'suspension_opened') this.record ??= row.record;
    if (row.kind === 'suspension_settled' && this.record) {
      this.record = { ...this.record, ...row.settlement };
    }
  }
}

describe('the end of a question whose workflow is gone', () => {
  it('is settled as cancelled by the system, in the store too', async () => {
    const record = recordWith();
    const question = new Question(record, { kind: 'gone' });
    assert.deepEqual(await question.settle(), { record: { ...record, ...LOST }, attempt: 2 });
    assert.deepEqual(question.settled, [[ID, LOST]]);
  });

  it('is what its workflow returned, which nobody has written yet', async () => {
    const record = recordWith();
    const question = new Question(record, { kind: 'settled', settlement: ANSWER, rows: [TOLD] });
    assert.deepEqual(await question.settle(), { record: { ...record, ...ANSWER }, attempt: 2 });
    assert.deepEqual(question.settled, []);
  });

  it('is what its workflow returned, though nobody can ask the store', async () => {
    const question = new Question(undefined, { kind: 'settled', settlement: ANSWER, rows: [] });
    question.storeIsDown = true;
    assert.deepEqual((await question.settle())?.record, { ...recordWith(), ...ANSWER });
  });

  it('stays as the store has it settled', async () => {
    const record = recordWith({ resolution: 'responded', response: 'yes' });
    const question = new Question(record, { kind: 'gone' });
    assert.deepEqual(await question.settle(), { record, attempt: 2 });
    assert.deepEqual(question.settled, []);
  });

  it('has not come as long as its workflow is there', async () => {
    const record = recordWith();
    const question = new Question(record);
    assert.deepEqual(await question.settle(), { record, attempt: 2 });
    assert.deepEqual(question.settled, []);
  });

  it('is unknown where the store does not have the question', async () => {
    assert.equal(await new Question(undefined, { kind: 'gone' }).settle(), null);
  });
});
