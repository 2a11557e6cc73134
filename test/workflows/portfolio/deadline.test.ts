import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changePortfolioUpdate } from '../../../workflows/portfolio/messages.js';
import { untilNextRun, atRest } from '../support/histories.js';
import { logOf, snapshotOf, typesOf } from '../support/intents.js';
import {
  complete,
  inSeconds,
  join,
  openPortfolio,
  portfolioIdOf,
  portfolioLog,
  readPortfolio,
  type PortfolioHandle,
} from '../support/portfolios.js';
import { LADDER } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;

describe('the deadline of a portfolio', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** A portfolio with a member that waits. */
  async function waiting(deadline: number, body: Parameters<World['ask']>[1] = LAX) {
    const portfolio = await openPortfolio(world, { deadline });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent, body);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    return { portfolio, intent, view };
  }

  async function moveTo(portfolio: PortfolioHandle, seconds: number | null): Promise<void> {
    const deadline = seconds === null ? null : await inSeconds(world, seconds);
    const change = { governance_policy: { deadline } };
    const input = { ...sent('bob', 'admin'), change };
    await atRest(portfolio);
    await portfolio.executeUpdate(changePortfolioUpdate, { args: [input] });
    await atRest(portfolio);
  }

  it('abandons members that wait, before the next reminder and past the fallback [R26-27, R26-28, R26-30, TD-06]', async () => {
    const policy = { ...LADDER, final_fallback_policy: 'complete_with_fallback' } as const;
    const { portfolio, intent, view } = await waiting(5_000, { ...LAX, retry_policy: policy });
    await world.sleep('5001 s');
    await intent.result();
    const { intent: abandoned } = await snapshotOf(intent);
    assert.deepEqual(
      [abandoned.status, abandoned.abandonment_reason],
      ['abandoned', 'portfolio_deadline_exceeded'],
    );
    const log = await logOf(world, intent);
    assert.deepEqual(typesOf(log).slice(-2), ['intent.suspension_expired', 'status_changed']);
    assert.equal(log.at(-2)?.payload['reason'], 'portfolio_deadline');
    await world.sleep('3 hours');
    assert.deepEqual(world.activities.attemptsOf(view.id), [1, 2]);
    const own = await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    assert.deepEqual(typesOf(own).slice(-2), [
      'portfolio.member_suspended',
      'portfolio.deadline_reached',
    ]);
    const { deadline } = (await readPortfolio(portfolio)).governance_policy;
    assert.deepEqual(own.at(-1)?.payload, {
      portfolio_id: portfolioIdOf(portfolio),
      deadline,
      suspended_member_count: 1,
    });
    const read = await readPortfolio(portfolio);
    assert.deepEqual(
      [read.status, read.aggregate_status.status, read.has_suspended_members],
      ['active', 'failed', false],
    );
    await complete(portfolio);
  });

  it('does not apply to an intent that joins after it', async () => {
    const portfolio = await openPortfolio(world, { deadline: 60 });
    const intent = await world.openIntent();
    const view = await world.ask(intent, LAX);
    await world.sleep('61 s');
    await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    await join(world, portfolio, intent);
    await world.sleep('60 s');
    assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    await moveTo(portfolio, 60);
    await world.sleep('61 s');
    await intent.result();
    assert.equal((await world.suspension(view.id).result()).reason, 'portfolio_deadline');
    await complete(portfolio);
  });

  it('takes effect after an outage of the worker', async () => {
    const { portfolio, intent, view } = await waiting(600);
    const { deadline } = (await readPortfolio(portfolio)).governance_policy;
    await world.withoutWorker(async () => {
      await world.sleep('600 s');
      await world.sleep('300 s');
    });
    await intent.result();
    const record = await world.suspension(view.id).result();
    assert.deepEqual([record.reason, record.settled_at], ['portfolio_deadline', deadline]);
    await complete(portfolio);
  });

  it('ends every overdue question, also if it is put off before all are ended', async () => {
    const holding = await World.start();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { expireQuestions } = holding.activities;
    const ended: string[] = [];
    await holding.withoutWorker(async () => {
      holding.activities.expireQuestions = async (batch) => {
        if (ended.length === 0) await held;
        ended.push(...batch.suspension_ids);
        await expireQuestions(batch);
      };
    });
    const portfolio = await openPortfolio(holding, { deadline: 600, deadline_batch: 1 });
    const intents = [await holding.openIntent(), await holding.openIntent()];
    for (const intent of intents) {
      await join(holding, portfolio, intent);
      await holding.ask(intent, LAX);
    }
    await portfolioLog(holding, portfolio, 'portfolio.member_suspended', 2);
    await holding.sleep('600 s');
    await portfolioLog(holding, portfolio, 'portfolio.deadline_reached');
    const deadline = await inSeconds(holding, 3_600);
    const input = { ...sent('bob', 'admin'), change: { governance_policy: { deadline } } };
    await portfolio.executeUpdate(changePortfolioUpdate, { args: [input] });
    release();
    for (const intent of intents) await intent.result();
    assert.equal(ended.length, 2);
    for (const intent of intents)
      assert.equal((await snapshotOf(intent)).intent.status, 'abandoned');
    await complete(portfolio);
    await holding.close();
  });

  it('is carried over to the next run', async () => {
    const portfolio = await openPortfolio(world, { deadline: 3_600, history_limit: 60 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent, LAX);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await untilNextRun(portfolio, async () => {
      const input = { ...sent('agent-1'), change: { name: 'Launch' } };
      await portfolio
        .executeUpdate(changePortfolioUpdate, { args: [input] })
        .catch(() => undefined);
    });
    await world.sleep('3601 s');
    await intent.result();
    assert.equal((await world.suspension(view.id).result()).reason, 'portfolio_deadline');
    await complete(portfolio);
  });
});
