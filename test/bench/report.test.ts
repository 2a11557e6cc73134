import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Figures, VersionFigures } from '../../bench/figures.js';
import type { PathCost } from '../../bench/question-costs.js';
import { asMarkdown } from '../../bench/report.js';
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
  it('has the figures under fixed names, on one line', () => {
    const text = asJson(FIGURES);
    assert.equal(text.includes('\n'), false);
    const json = JSON.parse(text) as Record<string, unknown>;
    assert.equal(json['answers_intent_per_s'], 50);
    assert.equal(json['answers_standalone_per_s'], 80);
    assert.equal(json['bare_answers_per_s'], 100);
    assert.equal(json['memory_ratio'], 1.1);
    assert.equal(json['writes_intent'], 18);
    assert.equal(json['bare_answers_against'], 1);
    const against = json['against'] as Record<string, unknown>;
    assert.equal(against['commit'], '7daf32e');
    assert.equal(against['answers_intent_per_s'], 25);
    assert.equal(against['answers_standalone_per_s'], null);
  });

  it('says of each part what others took of the CPU meanwhile', () => {
    const json = JSON.parse(asJson(FIGURES)) as Record<string, unknown>;
    assert.deepEqual(json['cpu_of_others'], {
      latency: 0.03,
      throughput: 0,
      clients: 0.2,
      memory: null,
    });
    const against = json['against'] as Record<string, unknown>;
    assert.deepEqual(against['cpu_of_others'], { latency: 0.5 });
  });

  it('has the same figures once more for PostgreSQL', () => {
    const { against: _against, ...today } = FIGURES;
    const { postgres, ...embedded } = JSON.parse(asJson({ ...today, postgres: today })) as Record<
      string,
      unknown
    >;
    assert.deepEqual(postgres, embedded);
  });

  it('has null for what was not measured', () => {
    const json = JSON.parse(asJson({})) as Record<string, unknown>;
    assert.equal(json['respond_ratio'], null);
    assert.equal(json['writes_agent'], null);
    assert.equal(json['bare_answers_per_s'], null);
  });
});

describe('the report of the bench', () => {
  const lines = asMarkdown(FIGURES).split('\n');

  it('has a row of each kind of work, and of what a version leaves out', () => {
    assert.ok(lines.includes('| an intent asks and goes on | 50 | 30 | 50 |'));
    assert.ok(lines.includes('| a question of its own | left out: POST /suspensions: 404 |  |  |'));
    assert.ok(lines.includes('Too busy, and asked again: 3 times.'));
  });

  it('says what a question has cost with many clients', () => {
    const row = '| an intent asks and goes on | 18.0 | 7.0 | 0.0 | 20.0 | 35.0 | unknown |';
    assert.ok(lines.some((line) => line.startsWith(row)));
    const { per_question_at_32_clients: spent } = JSON.parse(asJson(FIGURES)) as {
      readonly per_question_at_32_clients: Readonly<Record<string, { readonly tasks: object }>>;
    };
    assert.deepEqual(spent['intent']?.tasks, { RespondWorkflowTaskCompleted: 7 });
  });

  it('says how far from idle the machine was in each part', () => {
    const head = lines.findIndex((line) => line.startsWith('| how far from idle'));
    assert.deepEqual(lines.slice(head + 2, head + 6), [
      '| latency | 3 % |',
      '| throughput | 0 % |',
      '| clients | 20 % |',
      '| memory | unknown |',
    ]);
    assert.ok(lines.includes('| latency | 50 % |'));
  });

  it('has every target with what was reached', () => {
    assert.ok(lines.includes('| respond_ratio | 2.00 | at most 2 |'));
    assert.ok(lines.includes('| answers_standalone_against | not measured | at least 4 |'));
  });

  it('has the same tables once more for PostgreSQL', () => {
    const { against: _against, ...today } = FIGURES;
    const text = asMarkdown({ ...today, postgres: today });
    const [embedded = '', postgres = ''] = text.split('## On PostgreSQL\n');
    const rowsOf = (tables: string) => tables.split('\n').filter((row) => row.startsWith('|'));
    assert.notEqual(rowsOf(embedded).length, 0);
    assert.deepEqual(rowsOf(postgres), rowsOf(embedded));
  });
});
