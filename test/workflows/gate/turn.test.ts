import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { endsCancelled } from '../support/agents.js';
import { Gates, callOf, statusesOf } from '../support/gates.js';
import { lookUntil } from '../../support/looks.js';
import { perSuite } from '../support/world.js';

const SEARCH = callOf('search', { q: 'tides' });
const DEPLOY = callOf('deploy', { env: 'prod' });
const DELETE = callOf('delete', { id: 7 });
const DONE = (what: { tool: string }): Promise<JsonValue> =>
  Promise.resolve(`${what.tool} is done`);

describe('the other calls of a turn', () => {
  let gates: Gates;
  perSuite(Gates, (one) => (gates = one));
  afterEach(() => {
    gates.acted.length = 0;
    gates.act = DONE;
  });

  async function until(tool: string): Promise<void> {
    await lookUntil(async () => gates.ran.includes(tool) || undefined, `${tool} did not run`);
  }

  /** Keeps a tool from ending until the function that this returns is called. */
  function hold(held: string): () => void {
    let release = (): void => undefined;
    const free = new Promise<JsonValue>((resolve) => {
      release = () => {
        resolve('late');
      };
    });
    gates.act = (what) => (what.tool === held ? free : DONE(what));
    return release;
  }

  it('wait too if one approval decides on the turn [AM-51, AM-52]', async () => {
    const agent = await gates.turn({ calls: [DEPLOY, SEARCH, DELETE], grouping: 'per_turn' });
    const gate = await gates.one(agent);
    assert.deepEqual(
      gate.tier.approval.proposal.calls.map(({ tool }) => tool),
      ['deploy', 'delete'],
    );
    assert.deepEqual(gates.ran, []);
    await gates.decide(gate, 'approved');
    assert.deepEqual(statusesOf(await agent.result()), [
      ['deploy', 'completed'],
      ['search', 'completed'],
      ['delete', 'completed'],
    ]);
    assert.equal(gates.acted.at(-1)?.tool, 'search');
  });

  it('run as they were judged, whatever the agent does to them meanwhile [JC-30]', async () => {
    const calls = [SEARCH, DEPLOY];
    const agent = await gates.turn({ calls, grouping: 'per_turn', tampers: true });
    const gate = await gates.one(agent);
    await gates.world.sleep('61 s');
    await gates.decide(gate, 'approved');
    assert.deepEqual(statusesOf(await agent.result()), [
      ['search', 'completed'],
      ['deploy', 'completed'],
    ]);
    const ran = gates.acted.find(({ tool }) => tool === 'search');
    assert.deepEqual(ran?.args, SEARCH.arguments);
  });

  it('are cancelled with a rejected one, under cancel_siblings [AM-62]', async () => {
    const calls = [SEARCH, DEPLOY, DELETE];
    const agent = await gates.turn({ calls, rejection_policy: 'cancel_siblings' });
    const [deploy, remove] = await gates.open(agent, 2);
    assert.ok(deploy && remove);
    await until('search');
    await gates.decide(deploy, 'rejected');
    const outcome = await agent.result();
    assert.equal(outcome.status, 'completed');
    assert.deepEqual(statusesOf(outcome), [
      ['search', 'completed'],
      ['deploy', 'rejected'],
      ['delete', 'cancelled'],
    ]);
    assert.match(outcome.results[2]?.content ?? '', /CANCELLED, because "deploy" was not approved/);
    const { resolution } = await remove.handle.result();
    assert.equal(resolution.status, 'cancelled');
    assert.ok(!gates.ran.includes('delete'));
  });

  it('are cancelled while they run, and may have acted then [AM-62]', async () => {
    const release = hold('search');
    const calls = [SEARCH, DEPLOY];
    const agent = await gates.turn({ calls, rejection_policy: 'cancel_siblings' });
    const gate = await gates.one(agent);
    await until('search');
    await gates.decide(gate, 'rejected');
    const { results } = await agent.result();
    release();
    assert.equal(results[0]?.status, 'cancelled');
    assert.match(results[0].content, /It had begun, and may have acted\.$/);
  });

  it('are cancelled, and the turn ends with an error, under abort_iteration [AM-62]', async () => {
    const calls = [DEPLOY, DELETE];
    const agent = await gates.turn({ calls, rejection_policy: 'abort_iteration' });
    const [, remove] = await gates.open(agent, 2);
    assert.ok(remove);
    await gates.decide(remove, 'rejected', { comment: 'No.' });
    const outcome = await agent.result();
    assert.deepEqual(
      outcome.status === 'aborted' && outcome.reason,
      '"delete" was not approved: No.',
    );
    assert.deepEqual(statusesOf(outcome), [
      ['deploy', 'cancelled'],
      ['delete', 'rejected'],
    ]);
  });

  it('never run if a rejection cancels the task [AM-50]', async () => {
    const calls = [SEARCH, DEPLOY];
    const agent = await gates.turn({ calls, grouping: 'per_turn', on_reject: 'cancel_task' });
    await gates.decide(await gates.one(agent), 'rejected');
    const outcome = await agent.result();
    assert.equal(outcome.status, 'cancelled');
    assert.deepEqual(statusesOf(outcome), [
      ['search', 'cancelled'],
      ['deploy', 'rejected'],
    ]);
    assert.deepEqual(gates.ran, []);
  });
});

describe('a turn that ends early', () => {
  let gates: Gates;
  perSuite(Gates, (one) => (gates = one));

  it('withdraws its approvals if the agent is cancelled', async () => {
    const agent = await gates.turn({ calls: [DEPLOY] });
    const gate = await gates.one(agent);
    await agent.cancel();
    assert.ok(await endsCancelled(agent));
    assert.equal((await gate.handle.result()).resolution.status, 'cancelled');
    assert.deepEqual(gates.ran, []);
  });

  it('has a result for an approval that somebody else cancels', async () => {
    const agent = await gates.turn({ calls: [DEPLOY] });
    const gate = await gates.one(agent);
    await gate.handle.cancel();
    const { results } = await agent.result();
    assert.equal(results[0]?.status, 'not_approved');
    assert.match(results[0].content, /withdrawn/);
  });
});
