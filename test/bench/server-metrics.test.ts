import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countsOf } from '../../bench/server-counts.js';
import { growth, less, parseMetrics, total } from '../../bench/server-metrics.js';

describe('the metrics of a server', () => {
  it('are read with and without labels', () => {
    const text = `# HELP requests how many
# TYPE requests counter
requests{operation="Poll",service="a b"} 12
up 1
`;
    assert.deepEqual(parseMetrics(text), [
      { name: 'requests', labels: { operation: 'Poll', service: 'a b' }, value: 12 },
      { name: 'up', labels: {}, value: 1 },
    ]);
  });

  it('may have brackets, quotes and line feeds in labels, exponents and time stamps', () => {
    const [sample] = parseMetrics(String.raw`m{a="}",b="say \"x\"\n\\",} 1.5e+06 1700000000000`);
    assert.deepEqual(sample, {
      name: 'm',
      labels: { a: '}', b: 'say "x"\n\\' },
      value: 1_500_000,
    });
  });

  it('may be infinite or no number', () => {
    const values = parseMetrics('a +Inf\nb -Inf\nc NaN').map(({ value }) => value);
    assert.deepEqual(values, [Infinity, -Infinity, NaN]);
  });

  it('are refused where a line is none, with the line', () => {
    assert.throws(() => parseMetrics('up 1\nnonsense'), /no metric: nonsense/);
    assert.throws(() => parseMetrics('up one'), /no metric: up one/);
  });
});

describe('counters', () => {
  it('grow, and those that stand still are left out', () => {
    assert.deepEqual(growth({ a: 1, b: 2 }, { a: 4, b: 2, c: 5 }), { a: 3, c: 5 });
  });

  it('lose what others have in the same time, below zero too', () => {
    assert.deepEqual(less({ a: 10 }, { a: 2, b: 1 }, 3), { a: 4, b: -3 });
  });

  it('have a sum, which is 0 without any', () => {
    assert.equal(total({ a: 1.5, b: 2 }), 3.5);
    assert.equal(total({}), 0);
  });
});

describe('the counts of a server', () => {
  const text = `
persistence_requests{namespace="default",operation="CreateWorkflowExecution",service_name="history"} 3
persistence_requests{namespace="default",operation="UpdateWorkflowExecution",service_name="history"} 20
persistence_requests{namespace="default",operation="GetWorkflowExecution",service_name="history"} 7
persistence_requests{namespace="temporal_system",operation="UpdateWorkflowExecution",service_name="history"} 90
persistence_requests{namespace="default",operation="CreateTasks",service_name="matching"} 2
persistence_requests{namespace="system",operation="GetOrCreateShard",service_name="history"} 1
persistence_requests{namespace="system",operation="ListNamespaces",service_name="worker"} 4
persistence_latency_count{namespace="default",operation="UpdateWorkflowExecution",service_name="history"} 20
visibility_persistence_requests{operation="UpsertWorkflowExecution",service_name="history"} 5
visibility_persistence_requests{operation="CountWorkflowExecutions",service_name="frontend"} 5
service_requests{namespace="default",operation="RespondWorkflowTaskCompleted",service_name="frontend"} 9
service_requests{namespace="default",operation="RespondWorkflowTaskCompleted",service_name="history"} 9
service_requests{namespace="temporal_system",operation="RespondWorkflowTaskCompleted",service_name="frontend"} 9
service_requests{namespace="default",operation="RespondActivityTaskCompleted",service_name="frontend"} 4
service_requests{namespace="default",operation="PollWorkflowTaskQueue",service_name="frontend"} 99
action{action_type="grpc_QueryWorkflow",namespace="default",operation="QueryWorkflow"} 6
action{action_type="command_StartTimer",namespace="default",operation="RespondWorkflowTaskCompleted"} 2
action{action_type="command_StartTimer",namespace="temporal_system",operation="RespondWorkflowTaskCompleted"} 8
`;
  const counts = countsOf(parseMetrics(text));

  it('take as writes what changes workflows of the namespace', () => {
    assert.deepEqual(counts.writes, { CreateWorkflowExecution: 3, UpdateWorkflowExecution: 20 });
  });

  it('take as actions what the server itself counts in the namespace, by its types', () => {
    assert.deepEqual(counts.actions, { grpc_QueryWorkflow: 6, command_StartTimer: 2 });
  });

  it('name visibility and all other changes apart, and no reads', () => {
    assert.deepEqual(counts.visibility, { UpsertWorkflowExecution: 5 });
    assert.deepEqual(counts.others, { CreateTasks: 2, GetOrCreateShard: 1 });
  });

  it('take each task and activity once, as the frontend sees them', () => {
    assert.deepEqual(counts.tasks, { RespondWorkflowTaskCompleted: 9 });
    assert.deepEqual(counts.activities, { RespondActivityTaskCompleted: 4 });
  });
});
