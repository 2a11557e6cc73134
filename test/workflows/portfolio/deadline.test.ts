import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import { changePortfolioUpdate } from '../../../workflows/portfolio/messages.js';
import { operatorResponseSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import { atRest } from '../support/histories.js';
import { logOf, snapshotOf, typesOf, writeStatus } from '../support/intents.js';
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
import { World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;

describe('the deadline of a portfolio', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

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

  it('leaves members alone that do not wait or that ask afterwards', async () => {
    const { portfolio, intent, view } = await waiting(600);
    const answer = await world.answer(view);
    await world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
    await world.sleep('601 s');
    await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    const later = await world.ask(intent, LAX);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended', 2);
    await world.sleep('600 s');
    assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    const second = await world.answer(later);
    await world.suspension(later.id).executeUpdate(respondUpdate, { args: [second] });
    await writeStatus(intent, 'completed');
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

  it('can be put off while it runs', async () => {
    const { portfolio, intent, view } = await waiting(600);
    await moveTo(portfolio, 1_200);
    await world.sleep('1100 s');
    assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    await world.sleep('101 s');
    assert.equal((await world.suspension(view.id).result()).reason, 'portfolio_deadline');
    await complete(portfolio);
  });

  it('can be brought forward while it runs', async () => {
    const { portfolio, view } = await waiting(6_000);
    await moveTo(portfolio, 60);
    await world.sleep('61 s');
    assert.equal((await world.suspension(view.id).result()).reason, 'portfolio_deadline');
    await complete(portfolio);
  });

  it('can be dropped', async () => {
    const { portfolio, intent, view } = await waiting(600);
    await moveTo(portfolio, null);
    await world.sleep('2 hours');
    const answer = await world.answer(view);
    await world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
    await writeStatus(intent, 'completed');
    await complete(portfolio);
    assert.equal(
      world.activities
        .eventsOf(portfolioIdOf(portfolio))
        .some(({ event_type: type }) => type === 'portfolio.deadline_reached'),
      false,
    );
  });

  it('ends nothing once the portfolio is closed', async () => {
    const { portfolio, intent, view } = await waiting(600);
    await complete(portfolio);
    await world.sleep('601 s');
    const answer = await world.answer(view);
    await world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
    await writeStatus(intent, 'completed');
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

  it('loses against an answer that entered the history of the question first [AM-38]', async () => {
    const { portfolio, intent, view } = await waiting(600);
    const answer = await world.answer(view);
    await world.withoutWorker(async () => {
      await world.suspension(view.id).signal(operatorResponseSignal, answer);
      await world.sleep('601 s');
    });
    assert.equal((await world.suspension(view.id).result()).resolution, 'responded');
    await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    assert.equal((await snapshotOf(intent)).intent.status, 'active');
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });

  it('wins against an answer that comes afterwards [AM-38]', async () => {
    const { portfolio, intent, view } = await waiting(600);
    await world.sleep('601 s');
    await intent.result();
    const record = await world.suspension(view.id).result();
    const late = world.suspension(view.id).signal(operatorResponseSignal, await world.answer(view));
    await assert.rejects(late, WorkflowNotFoundError);
    assert.deepEqual([record.resolution, record.reason], ['expired', 'portfolio_deadline']);
    assert.equal((await snapshotOf(intent)).intent.status, 'abandoned');
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
    const { runId } = await portfolio.describe();
    for (let run = runId; run === runId; run = (await portfolio.describe()).runId) {
      const input = { ...sent('agent-1'), change: { name: 'Launch' } };
      await portfolio
        .executeUpdate(changePortfolioUpdate, { args: [input] })
        .catch(() => undefined);
    }
    await world.sleep('3601 s');
    await intent.result();
    assert.equal((await world.suspension(view.id).result()).reason, 'portfolio_deadline');
    await complete(portfolio);
  });
});
