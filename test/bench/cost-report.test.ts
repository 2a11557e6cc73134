import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { costsAsMarkdown } from '../../bench/cost-report.js';
import { scaled, without, type Spent } from '../../bench/question-costs.js';

const NOTHING: Spent = {
  ms: 1_000,
  writes: {},
  visibility: {},
  others: {},
  tasks: {},
  activities: {},
  actions: {},
  cpu: {},
};

describe('what a question costs', () => {
  it('is what was spent less what the stack does by itself, for each question', () => {
    const spent = { ...NOTHING, ms: 4_000, writes: { Create: 10, Update: 50 }, cpu: { api: 90 } };
    const idle = { ...NOTHING, ms: 2_000, writes: { Update: 5 }, cpu: { api: 10 } };
    const cost = scaled(without(spent, idle), 1 / 10);
    assert.deepEqual(cost.writes, { Create: 1, Update: 4 });
    assert.deepEqual(cost.cpu, { api: 7 });
    assert.equal(cost.ms, 400);
  });

  it('is told with every operation, and with what is unknown', () => {
    const standalone = {
      ...NOTHING,
      writes: { CreateWorkflowExecution: 1, UpdateWorkflowExecution: 6 },
      others: { UpdateShard: 0.001 },
      tasks: { RespondWorkflowTaskCompleted: 3 },
      actions: { grpc_StartWorkflowExecution: 1, activity_retry: 0.5 },
      cpu: { worker: 8.04 },
      rounds: 100,
      looks: { server: 4, store: 2 },
      own: { writes: 7, tasks: 3 },
      foreign: 0.124,
    };
    const text = costsAsMarkdown({
      paths: { standalone },
      idle: { ...NOTHING, actions: { command_COMMAND_TYPE_START_TIMER: 0.5 }, foreign: undefined },
      look: { server: 1, store: NaN },
      besides: { firstPoll: 1, waitingDay: 12, reminder: 4, reminderOfIntent: 6.04 },
    });
    const lines = text.split('\n');
    assert.ok(
      lines.includes('| a question of its own | 7.00 | 0.00 | 0.00 | 3.00 | 0.00 | 1.50 |'),
    );
    assert.ok(
      lines.includes('| a question of its own | 8.0 | unknown | unknown | unknown | unknown |'),
    );
    assert.ok(lines.includes('| a question of its own | 100 | 6.00 | 7.00 | 3.00 | 12 % |'));
    assert.ok(lines.includes('| actions: activity_retry | 0.50 |'));
    assert.ok(lines.includes('| a reminder of a question of an intent | 6.04 |'));
    assert.ok(lines.includes('| an idle day, no channel and no subscription | 43200.00 |'));
    assert.ok(lines.includes('| writes: UpdateWorkflowExecution | 6.00 |'));
    assert.equal(text.includes('UpdateShard'), false);
  });
});
