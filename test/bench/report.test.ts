import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Figures, VersionFigures } from '../../bench/figures.js';
import type { PathCost } from '../../bench/question-costs.js';
import { asJson, targetsOf } from '../../bench/targets.js';

const SPENT = { ms: 1_000, visibility: {}, others: {}, activities: {}, actions: {}, cpu: {} };
const costOf = (creations: number, updates: number, tasks: number): PathCost => ({
  ...SPENT,
  writes: { CreateWorkflowExecution: creations, UpdateWorkflowExecution: updates },
  tasks: { RespondWorkflowTaskCompleted: tasks },
  rounds: 10,
  looks: { server: 1, store: 1 },
  own: { writes: creations + updates, tasks },
  foreign: 0,
});

const OLD: VersionFigures = {
  throughput: {
    rates: {
      bare: { opens: 200, answers: 100 },
      intent: { creations: 40, opens: 20, answers: 25 },
    },
    spent: {},
    leftOut: { standalone: 'POST /suspensions: 404' },
    busy: 3,
  },
  foreign: { latency: 0.5 },
};

const FIGURES: Figures = {
  costs: {
    paths: { standalone: costOf(1, 6, 3), intent: costOf(2, 16, 7), agent: costOf(2, 15, 6) },
    idle: { ...SPENT, writes: {}, tasks: {}, foreign: 0 },
    look: { server: 1, store: 1 },
  },
  latencies: {
    bare: [10, 20, 30],
    bare_result: [20],
    respond: [40],
    resume_http: [30],
    resume_temporal: [50],
  },
  throughput: {
    rates: {
      bare: { opens: 200, answers: 100 },
      standalone: { opens: 60, answers: 80 },
      intent: { creations: 50, opens: 30, answers: 50 },
      agent: { opens: 10, answers: 20 },
    },
    spent: { intent: { ...costOf(2, 16, 7), cpu: { worker: 20.04, server: 35 } } },
    leftOut: {},
    busy: 0,
  },
  memory: [
    { open: 500, mib: 400 },
    { open: 5_000, mib: 440 },
  ],
  foreign: { latency: 0.031, throughput: 0, clients: 0.204, memory: undefined },
  against: { commit: '7daf32e', figures: OLD },
};

describe('the targets of the bench', () => {
  const values = Object.fromEntries(targetsOf(FIGURES).map(({ name, value }) => [name, value]));

  it('are these and no others', () => {
    assert.deepEqual(
      targetsOf(FIGURES).map(({ name, side, bound }) => `${name} ${side} ${bound}`),
      [
        'respond_ratio at most 2',
        'resume_http_ratio at most 1.3',
        'resume_temporal_ratio at most 2.2',
        'writes_intent at most 18',
        'tasks_intent at most 7',
        'writes_standalone at most 7',
        'tasks_standalone at most 3',
        'writes_agent at most 17',
        'tasks_agent at most 6',
        'answers_intent_against at least 1.8',
        'answers_standalone_against at least 4',
        'memory_ratio at most 1.1',
      ],
    );
  });

  it('compare medians with the bare workflow of the same run', () => {
    assert.equal(values['respond_ratio'], 2);
    assert.equal(values['resume_http_ratio'], 1.5);
    assert.equal(values['resume_temporal_ratio'], 2.5);
  });

  it('count the writes and tasks of each path', () => {
    assert.deepEqual([values['writes_standalone'], values['tasks_standalone']], [7, 3]);
    assert.deepEqual([values['writes_intent'], values['tasks_intent']], [18, 7]);
    assert.deepEqual([values['writes_agent'], values['tasks_agent']], [17, 6]);
  });

  it('compare answers with another version, where both have the path', () => {
    assert.equal(values['answers_intent_against'], 2);
    assert.equal(values['answers_standalone_against'], undefined);
  });

  it('name no other version where none was measured', () => {
    const { against: _against, ...alone } = FIGURES;
    const names = targetsOf(alone).map(({ name }) => name);
    assert.equal(names.includes('answers_intent_against'), false);
  });
});

describe('the JSON of the bench', () => {
  it('has null for what was not measured', () => {
    const json = JSON.parse(asJson({})) as Record<string, unknown>;
    assert.equal(json['respond_ratio'], null);
    assert.equal(json['writes_agent'], null);
    assert.equal(json['bare_answers_per_s'], null);
  });
});
