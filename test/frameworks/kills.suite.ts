import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { lookUntil } from '../support/looks.js';
import { Lab, wireOf } from './lab.js';
import { ALL_FRAMEWORKS } from './project.js';

/** The kills of each adapter, and the seed of the first. Each night all moments have many, of which there are about 14. */
const KILLS = Number(process.env['HOLDPOINT_TEST_KILLS'] ?? '7');
const FIRST = Number(process.env['HOLDPOINT_TEST_FIRST_KILL'] ?? '1');
const LEASE = { leaseSeconds: 1 };

/** A moment of an agent's process: just before or just after a request that changes something. */
interface Moment {
  readonly name: string;
  readonly moments: number;
}

/*
 * An agent is killed at a moment that the seed chooses, from its first request to its last, while a person approves its call. It
 * starts again, under its own name or another, and the ledger of the bank has one transfer in the end.
 */
describe('a bank whose transfers a killed agent orders', function () {
  this.timeout(600_000);
  let lab: Lab;
  before(async () => {
    lab = await Lab.open();
  });
  after(() => lab.close());
  afterEach(() => lab.killAll());

  for (const framework of ALL_FRAMEWORKS) {
    describe(framework, () => {
      let repeated = 0;
      let moments = 0;
      /** With few kills, they are at moments that lie apart. */
      let stride = 1;
      before(async () => {
        const run = lab.newRun(framework);
        const task = { do: 'begin', run, script: [[wireOf(run, 500)]], watch: true } as const;
        const agent = lab.start(framework, task);
        await lab.decide(run, 500);
        await lookUntil(
          () => Promise.resolve(/"after finish"/.test(agent.printed)),
          'it never ends',
        );
        await lookUntil(
          () => lab.isOver(run),
          () => `it is never over: ${agent.printed}`,
        );
        moments = agent.printed.match(/^at /gm)?.length ?? 0;
        stride = Math.max(1, Math.round(moments / KILLS));
        await agent.kill();
      });

      for (let seed = FIRST; seed < FIRST + KILLS; seed += 1) {
        it(`makes one transfer, whenever it is killed: seed ${seed}`, async () => {
          const run = lab.newRun(framework);
          const begin = { do: 'begin', run, script: [[wireOf(run, 500)]], watch: true } as const;
          // The moment that matters most comes first: the bank has wired, and nobody has recorded it.
          const holdAt = seed === FIRST ? 'after bank' : String(1 + ((seed * stride) % moments));
          const holder = `agent-${seed}`;
          const isOther = (seed + Math.floor(seed / moments)) % 2 === 1;
          const decided = lab.decide(run, 500);
          const first = lab.start(framework, begin, { ...LEASE, holder, holdAt });
          const { name } = (await first.says('held')) as Moment;
          await first.kill();
          // What has started the agent does so again, unless it knows that the turn is parked.
          const task = /^parked /m.test(first.printed) ? ({ do: 'watch' } as const) : begin;
          const second = lab.start(framework, task, {
            ...LEASE,
            holder: isOther ? `other-${seed}` : holder,
          });
          await decided;
          await lookUntil(
            () => lab.isOver(run),
            () => `it never ends: ${second.printed}`,
          );
          assert.deepEqual(lab.bank.wires(`/${run}`), [{ to: run, amount: 500 }], name);
          if (lab.bank.requests(`/${run}`).length > 1) repeated += 1;
        });
      }

      it('was asked again under the same key by agents that were killed after the transfer', () => {
        assert.ok(repeated > 0);
      });
    });
  }
});
