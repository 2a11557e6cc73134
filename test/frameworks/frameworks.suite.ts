import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { lookUntil } from '../support/looks.js';
import { DONE } from './agents/adapter.js';
import { Lab, TOO_LATE, wireOf, type Ended } from './lab.js';
import { ALL_FRAMEWORKS, KEEPS_CONVERSATION } from './project.js';
import { PYTHON_FRAMEWORKS, type PythonFramework } from './python-project.js';

/*
 * Twelve cases that every adapter passes in the same way, on a real Holdpoint, with the framework's own mock model. Each process
 * of an agent is a real one, and runs the code that the page shows.
 */
describe('the adapters of frameworks', function () {
  this.timeout(600_000);
  let lab: Lab;
  before(async () => {
    lab = await Lab.open();
  });
  after(() => lab.close());
  afterEach(() => lab.killAll());

  it('compile, as the page shows them', () => {
    assert.deepEqual(lab.project.faults(), []);
  });

  for (const framework of Object.keys(PYTHON_FRAMEWORKS) as PythonFramework[]) {
    it(`are typed in Python, as the page shows them: ${framework}`, () =>
      lab.pythonProject.check(framework));
  }

  for (const framework of ALL_FRAMEWORKS) {
    describe(framework, () => {
      /** Begins a run whose model makes these wires in one turn, and resolves once it waits in no process. */
      async function parkedRun(...amounts: readonly number[]) {
        const run = lab.newRun(framework);
        const script = [amounts.map((amount) => wireOf(run, amount))];
        const turn = await lab.start(framework, { do: 'begin', run, script }).parked();
        return { run, turn };
      }

      /** Starts a process that continues all decided runs, and resolves with the end of this one. */
      function continued(run: string): Promise<Ended> {
        return lab.over(lab.start(framework, { do: 'watch' }), run);
      }

      it('runs a call once a person has approved it', async () => {
        const { run } = await parkedRun(500);
        assert.deepEqual(lab.bank.wires(`/${run}`), []);
        await lab.decide(run, 500);
        const { end, results } = await continued(run);
        assert.equal(end, DONE);
        assert.match(results.join(), /^\{"receipt":\d+\}$/);
        assert.deepEqual(lab.bank.wires(`/${run}`), [{ to: run, amount: 500 }]);
      });

      it('runs nothing after a no, and tells the model the reason', async () => {
        const { run } = await parkedRun(500);
        await lab.decide(run, 500, { value: 'rejected', comment: 'ACME is not a supplier.' });
        const { end, results } = await continued(run);
        assert.equal(end, DONE);
        assert.match(results.join(), /REJECTED by human reviewer.*ACME is not a supplier\./);
        assert.deepEqual(lab.bank.wires(`/${run}`), []);
      });

      it('runs what a person made of a call, and tells the model so first', async () => {
        const { run } = await parkedRun(500);
        await lab.decide(run, 500, { edited: { to: run, amount: 100 } });
        const { results } = await continued(run);
        const note = `A human reviewer edited the arguments of "wire". It ran with: {"to":"${run}","amount":100}`;
        const [first, second] = results.join().split('\n');
        assert.equal(first, note);
        assert.match(second ?? '', /^\{"receipt":\d+\}$/);
        assert.deepEqual(lab.bank.wires(`/${run}`), [{ to: run, amount: 100 }]);
      });

      it('takes no edit that does not fit the tool', async () => {
        const { run } = await parkedRun(500);
        await assert.rejects(lab.decide(run, 500, { edited: { to: run, amount: -1 } }), {
          code: 'invalid_edit',
        });
        await lab.decide(run, 500, { value: 'rejected' });
        await continued(run);
        assert.deepEqual(lab.bank.wires(`/${run}`), []);
      });

      it('runs the approved one of two calls, and not the denied one', async () => {
        const { run } = await parkedRun(500, 600);
        await lab.decide(run, 500, { value: 'rejected', comment: 'Too much.' });
        await lab.decide(run, 600);
        const { results } = await continued(run);
        assert.deepEqual(lab.bank.wires(`/${run}`), [{ to: run, amount: 600 }]);
        assert.equal(results.length, 2);
        assert.equal(results.filter((result) => /REJECTED.*Too much\./.test(result)).length, 1);
        assert.equal(results.filter((result) => /^\{"receipt":\d+\}$/.test(result)).length, 1);
      });

      it('runs nothing as long as one of two calls is open', async () => {
        const { run, turn } = await parkedRun(500, 600);
        await lab.decide(run, 500);
        await lookUntil(
          async () => (await lab.approvals(run, 'approved')).length === 1,
          'the first call is not approved',
        );
        assert.equal(await lab.start(framework, { do: 'look' }).says('looked'), 0);
        const early = lab.start(framework, { do: 'go', run, turn });
        assert.deepEqual(await early.says('refused'), ['ApprovalPending', 'approval_pending']);
        assert.deepEqual(lab.bank.wires(`/${run}`), []);
        await lab.decide(run, 600);
        const { results } = await continued(run);
        assert.equal(results.length, 2);
        assert.equal(lab.bank.wires(`/${run}`).length, 2);
      });

      it('is continued by another process after one was killed that waited', async () => {
        const run = lab.newRun(framework);
        const script = [[wireOf(run, 500)]];
        const first = lab.start(framework, { do: 'begin', run, script, watch: true });
        await first.parked();
        await first.kill();
        await lab.decide(run, 500);
        assert.equal((await continued(run)).end, DONE);
        assert.deepEqual(lab.bank.wires(`/${run}`), [{ to: run, amount: 500 }]);
        assert.doesNotMatch(first.printed, /^done/m);
      });

      it('has one effect, killed between the effect and its record', async () => {
        const { run } = await parkedRun(500);
        await lab.decide(run, 500);
        const lease = { leaseSeconds: 2 };
        const first = lab.start(framework, { do: 'watch' }, { ...lease, holdAt: 'after bank' });
        await first.says('held');
        await first.kill();
        const second = lab.start(framework, { do: 'watch' }, lease);
        assert.match((await lab.over(second, run)).results.join(), /^\{"receipt":\d+\}$/);
        const keys = lab.bank.requests(`/${run}`);
        assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
        assert.equal(lab.bank.wires(`/${run}`).length, 1);
      });

      it('has one effect and one result, resumed twice', async () => {
        const { run, turn } = await parkedRun(500);
        await lab.decide(run, 500);
        const again = () => lab.start(framework, { do: 'go', run, turn }, { holder: 'same' });
        const ends = [await again().ended(run), await again().ended(run)];
        assert.deepEqual(ends[1], ends[0]);
        assert.equal(lab.bank.requests(`/${run}`).length, 1);
        await continued(run);
      });

      it('runs nothing of a parked turn that somebody has changed', async () => {
        const { run, turn } = await parkedRun(500);
        await lab.decide(run, 500);
        const changed = { do: 'tamper', run, turn, amount: 9_000 } as const;
        const second = lab.start(framework, { ...changed, all: false });
        const { results } = await second.ended(run);
        assert.match(results.join(), /is not what was approved, so nothing runs/);
        assert.ok((await lab.events(run)).includes('proposal_mutation_detected'));
        // Without the keys of the parked turn it is a new call, about which people are asked.
        const third = lab.start(framework, { ...changed, all: true });
        assert.deepEqual(await third.says('refused'), ['ApprovalPending', 'approval_pending']);
        await lab.decide(run, 9_000, { value: 'rejected' });
        assert.deepEqual(lab.bank.requests(`/${run}`), []);
        // Holdpoint has the turn as it was parked. A conversation that the framework keeps has gone on, without the call.
        await continued(run);
        const wires = KEEPS_CONVERSATION.includes(framework) ? [] : [{ to: run, amount: 500 }];
        assert.deepEqual(lab.bank.wires(`/${run}`), wires);
      });

      it('runs nothing that nobody decided in time', async () => {
        const { run } = await parkedRun(TOO_LATE);
        const { results } = await continued(run);
        assert.match(results.join(), /NOT APPROVED, because nobody decided in time/);
        assert.deepEqual(lab.bank.wires(`/${run}`), []);
      });

      it('asks again about a call whose id has been used before', async () => {
        const run = lab.newRun(framework);
        const call = wireOf(run, 500, 'call-1');
        await lab.start(framework, { do: 'begin', run, script: [[call], [call]] }).parked();
        await lab.decide(run, 500);
        const watching = lab.start(framework, { do: 'watch' });
        await lab.decide(run, 500);
        const { results } = await lab.over(watching, run);
        assert.equal(results.length, 2);
        assert.equal(new Set(lab.bank.requests(`/${run}`)).size, 2);
        assert.equal(lab.bank.wires(`/${run}`).length, 2);
      });

      it('waits in a sub-agent, whose call runs once', async () => {
        const run = lab.newRun(framework);
        const script = [[wireOf(run, 500)]];
        const agent = lab.start(framework, { do: 'delegate', run, script });
        await lab.question(run, 500);
        assert.deepEqual(lab.bank.wires(`/${run}`), []);
        await lab.decide(run, 500, { edited: { to: run, amount: 100 } });
        const { end, results } = await agent.ended(run);
        assert.equal(end, DONE);
        assert.match(results.join(), /^A human reviewer edited /);
        assert.deepEqual(lab.bank.wires(`/${run}`), [{ to: run, amount: 100 }]);
      });
    });
  }
});
