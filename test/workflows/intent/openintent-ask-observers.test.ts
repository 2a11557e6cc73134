import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { isOverdue } from '../../../domain/portfolio/members.js';
import { Members } from '../../../workflows/portfolio/members.js';
import { expireNowSignal } from '../../../workflows/suspension/messages.js';
import { logOf, snapshotOf, writeStatus } from '../support/intents.js';
import {
  complete,
  join,
  openPortfolio,
  portfolioIdOf,
  portfolioLog,
  readPortfolio,
} from '../support/portfolios.js';
import { answerAsk, writeAskingStatus, writeAskingRecord } from '../support/suspensions.js';
import { World } from '../support/world.js';

describe('the observers of an OpenIntent ask', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  /** A member that is suspended, its question still to come, once the deadline of its portfolio is over. */
  async function suspendedPastDeadline() {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await world.sleep('301 s');
    await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    await writeAskingStatus(intent);
    return { portfolio, intent };
  }

  it('carry what a member waits for into a new run', () => {
    const members = new Members();
    const at = '2026-11-21T10:00:00.000Z';
    const common = { version: 3, last_sequence: 3, status: 'suspended_awaiting_input' } as const;
    const settled = { suspension_id: 'a', suspended_at: at, resolution: 'responded' } as const;
    const open = { ...settled, resolution: null };
    members.observe({ ...common, intent_id: 'asks', suspension: open, suspended_since: at });
    members.observe({ ...common, intent_id: 'waits', suspension: settled, suspended_since: at });
    members.observe({ ...common, intent_id: 'begins', suspension: null, suspended_since: at });
    members.observe({ ...common, intent_id: 'works', status: 'active', suspension: settled });
    const carried = JSON.parse(JSON.stringify(members.carried)) as typeof members.carried;
    const next = new Members(carried);
    assert.deepEqual(next.carried, members.carried);
    assert.deepEqual(
      next.suspended((member) => isOverdue(member, at, Date.parse(at))),
      [{ intent_id: 'asks', suspension_id: 'a' }, { intent_id: 'waits' }, { intent_id: 'begins' }],
    );
  });

  it('get each question once, the second too [R26-85]', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await writeAskingStatus(intent);
    const first = await writeAskingRecord(world, intent);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await answerAsk(world, intent, first);
    await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    await writeAskingStatus(intent);
    await world.sleep('60 s');
    const second = await writeAskingRecord(world, intent);
    const log = await portfolioLog(world, portfolio, 'portfolio.member_suspended', 2);
    const moves = log.flatMap(({ event_type, payload }) =>
      /member_(suspended|resumed)$/.test(event_type)
        ? [[event_type.replace('portfolio.member_', ''), payload['suspension_id']]]
        : [],
    );
    assert.deepEqual(moves, [
      ['suspended', first],
      ['resumed', first],
      ['suspended', second],
    ]);
    await answerAsk(world, intent, second);
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });

  it('end it at the deadline where the clock of its agent is ahead [R26-27]', async () => {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await writeAskingStatus(intent);
    await writeAskingRecord(world, intent, { aheadSeconds: 600 });
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('301 s');
    await intent.result();
    const { status, abandonment_reason } = (await snapshotOf(intent)).intent;
    assert.deepEqual([status, abandonment_reason], ['abandoned', 'portfolio_deadline_exceeded']);
    await complete(portfolio);
  });

  it('end the wait for a record that never comes, at the deadline [R26-27]', async () => {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const [intent, answered] = [await world.openIntent(), await world.openIntent()];
    for (const one of [intent, answered]) await join(world, portfolio, one);
    await writeAskingStatus(answered);
    await answerAsk(world, answered, await writeAskingRecord(world, answered));
    for (const one of [intent, answered]) await writeAskingStatus(one);
    await world.sleep('301 s');
    for (const one of [intent, answered]) {
      await one.result();
      const { status, abandonment_reason } = (await snapshotOf(one)).intent;
      assert.deepEqual([status, abandonment_reason], ['abandoned', 'portfolio_deadline_exceeded']);
      const end = (await logOf(world, one)).at(-1);
      assert.deepEqual([end?.event_type, end?.actor], ['status_changed', 'holdpoint']);
    }
    await complete(portfolio);
  });

  it('leave a wait alone that began after the deadline', async () => {
    const { portfolio, intent } = await suspendedPastDeadline();
    const { deadline = '' } = (await readPortfolio(portfolio)).governance_policy;
    const due = { portfolio_id: portfolioIdOf(portfolio), deadline: deadline ?? '' };
    await intent.signal(expireNowSignal, due);
    await intent.signal(expireNowSignal, { deadline: 'soon' } as never);
    await world.sleep('60 s');
    assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    await writeAskingStatus(intent, 'active');
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });

  it('leave it alone after the deadline where the clock of its agent is behind', async () => {
    const { portfolio, intent } = await suspendedPastDeadline();
    const id = await writeAskingRecord(world, intent, { aheadSeconds: -600 });
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('60 s');
    await answerAsk(world, intent, id);
    assert.equal((await snapshotOf(intent)).intent.status, 'active');
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });
});
