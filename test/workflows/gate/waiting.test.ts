import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { hashOfSnapshot } from '../../../domain/approval/asking/snapshot.js';
import { runQuery, suspendedUpdate } from '../../../workflows/human/index.js';
import { atRest } from '../support/histories.js';
import { goOnSignal } from '../support/gated-agents.js';
import { Gates, callOf, statusesOf } from '../support/gates.js';
import { lookUntil } from '../../support/looks.js';

const SEARCH = callOf('search', { q: 'tides' });
const DEPLOY = callOf('deploy', { env: 'prod' });

/** Three weeks to decide. */
const PATIENT = approvalsConfigSchema.parse({
  routes: { human_required: { tiers: [{ timeout_seconds: 21 * 86_400 }] } },
});

describe('an agent that waits for an approval', () => {
  let gates: Gates;
  before(async () => {
    gates = await Gates.start();
    gates.world.activities.approvals = PATIENT;
  });
  after(() => gates.close());
  afterEach(() => {
    gates.acted.length = 0;
  });

  it('tells who started it that it is suspended, and then goes on [A54-15, JC-56, TM-11, TM-21]', async () => {
    const agent = await gates.start('reports', { calls: [DEPLOY], turn_index: 4 });
    const idle = { status: 'running', turn_index: null, snapshot_hash: null, approvals: [] };
    assert.deepEqual(await agent.query(runQuery), { run_id: agent.workflowId, ...idle });
    const waiting = agent.executeUpdate(suspendedUpdate);
    await agent.signal(goOnSignal);
    const report = await waiting;
    const gate = await gates.one(agent);
    const { proposal, proposal_hash } = gate.tier.approval;
    assert.deepEqual(report, {
      run_id: agent.workflowId,
      turn_index: 4,
      snapshot_hash: gates.world.activities.snapshots.at(-1)?.hash,
      status: 'suspended',
      approvals: [{ approval_id: proposal.approval_id, proposal_hash, tools: ['deploy'] }],
    });
    assert.equal(gates.world.activities.snapshots.at(-1)?.snapshot.status, 'hibernated');
    await gates.decide(gate, 'approved');
    assert.equal((await agent.result()).status, 'completed');
    const { status, approvals } = await agent.query(runQuery);
    assert.deepEqual([status, approvals], ['running', []]);
    const { events = [] } = await agent.fetchHistory();
    const failures = events?.filter(
      ({ workflowTaskFailedEventAttributes: task, activityTaskFailedEventAttributes: activity }) =>
        task ?? activity,
    );
    assert.deepEqual(failures, []);
  });

  it('has stored a snapshot of itself, and knows its hash [A54-03, A54-14, JC-60, JC-67, TM-14]', async () => {
    const working_memory = { messages: [{ role: 'user', content: 'Deploy.' }] };
    const agent = await gates.turn({ calls: [DEPLOY, SEARCH], working_memory, turn_index: 2 });
    const gate = await gates.one(agent);
    const [stored] = gates.world.activities.snapshots.slice(-1);
    assert.ok(stored);
    const { event_position, ...snapshot } = stored.snapshot;
    assert.deepEqual(snapshot, {
      schema_version: 'composer_v1',
      status: 'hibernated',
      agent: 'bot',
      run_id: agent.workflowId,
      turn_index: 2,
      working_memory,
      proposals: [gate.tier.approval.proposal],
    });
    const { events } = await agent.fetchHistory();
    assert.ok(event_position > 1 && event_position < (events?.length ?? 0));
    assert.equal(hashOfSnapshot(stored.snapshot), stored.hash);
    await gates.decide(gate, 'rejected');
    await agent.result();
  });

  it('runs an approved call once, if its worker dies between approval and execution [P3-23]', async () => {
    const agent = await gates.turn({ calls: [DEPLOY] });
    const gate = await gates.one(agent);
    await gates.stopWorker();
    await gates.decide(gate, 'approved');
    await gate.handle.result();
    assert.deepEqual(gates.ran, []);
    await gates.startWorker();
    assert.deepEqual(statusesOf(await agent.result()), [['deploy', 'completed']]);
    assert.deepEqual(gates.ran, ['deploy']);
  });

  it('goes on where it was when its worker died: nothing runs or asks again [A54-02, JC-62, JC-63, TM-13, TM-16]', async () => {
    const agent = await gates.turn({ calls: [SEARCH, DEPLOY] });
    const gate = await gates.one(agent);
    await lookUntil(async () => gates.ran.includes('search') || undefined, 'search did not run');
    await atRest(agent);
    await gates.stopWorker();
    await gates.startWorker();
    await gates.decide(gate, 'approved');
    const outcome = await agent.result();
    assert.deepEqual(statusesOf(outcome), [
      ['search', 'completed'],
      ['deploy', 'completed'],
    ]);
    assert.deepEqual(gates.ran, ['search', 'deploy']);
    const [only, ...others] = await gates.open(agent);
    assert.equal(only?.tier.id, gate.tier.id);
    assert.deepEqual(others, []);
  });
});
