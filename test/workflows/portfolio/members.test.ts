import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { verifyChain } from '../../support/verified-chain.js';
import { payloadSalt } from '../../../domain/log/seal.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  removeMemberUpdate,
  type PortfolioSnapshot,
} from '../../../workflows/portfolio/messages.js';
import type { Once, Under } from '../../../workflows/engine/messages.js';
import { untilNextRun, atRest } from '../support/histories.js';
import { refusalOf, writeStatus } from '../support/intents.js';
import {
  complete,
  inSeconds,
  join,
  newMember,
  openPortfolio,
  portfolioIdOf,
  portfolioLog,
  readPortfolio,
} from '../support/portfolios.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('a portfolio', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('has a log in a chain, under the key that it was given', async () => {
    const log_key = 'a key from outside';
    const portfolio = await openPortfolio(world, { log_key });
    await join(world, portfolio, await world.openIntent());
    await complete(portfolio);
    const log = await portfolioLog(world, portfolio, 'portfolio.status_changed');
    assert.ok(log.length > 2, `${log.length} events`);
    assert.deepEqual(verifyChain(log).breaks, []);
    assert.equal(log[1]?.payload_salt, payloadSalt(log_key, 2));
  });

  it('counts a member that waits, and is not suspended itself [R26-05, R26-06, R26-19]', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    const read = await readPortfolio(portfolio);
    assert.deepEqual(
      [read.status, read.aggregate_status.status, read.suspended_member_count],
      ['active', 'in_progress', 1],
    );
    await world.respond(view);
    const log = await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    assert.equal((await readPortfolio(portfolio)).has_suspended_members, false);
    const ids = { portfolio_id: portfolioIdOf(portfolio), suspension_id: view.id };
    const moves = log.filter(({ payload }) => payload['suspension_id'] === view.id);
    assert.deepEqual(
      moves.map(({ event_type, actor, payload }) => [event_type, actor, payload]),
      [
        ['portfolio.member_suspended', 1],
        ['portfolio.member_resumed', 0],
      ].map(([type, suspended_member_count]) => [
        type,
        'holdpoint',
        { ...ids, intent_id: view.intent_id, suspended_member_count },
      ]),
    );
    await writeStatus(intent, 'completed');
    await intent.result();
    await complete(portfolio);
  });

  it('ignores announcements of a member that has left', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    const { membership } = await join(world, portfolio, intent);
    const { intent_id } = membership;
    const remove = { ...sent('bob'), intent_id };
    await portfolio.executeUpdate(removeMemberUpdate, { args: [remove] });
    const view = await world.ask(intent);
    await writeStatus(intent, 'abandoned');
    await world.suspension(view.id).result();
    await intent.result();
    await world.sleep('20 s');
    const { aggregate_status: aggregate } = await readPortfolio(portfolio);
    assert.equal(aggregate.total, 0);
    const log = await portfolioLog(world, portfolio, 'portfolio.member_removed');
    assert.equal(log.at(-1)?.event_type, 'portfolio.member_removed');
    assert.deepEqual(
      world.activities.rows.flatMap((row) =>
        row.kind === 'portfolio_member' && row.intent_id === intent_id
          ? [[row.revision, row.membership]]
          : [],
      ),
      [
        [2, membership],
        [3, null],
      ],
    );
    await complete(portfolio);
  });

  it('refuses what it cannot take, and changes nothing', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const before = await readPortfolio(portfolio);
    const member = { ...sent('agent-1'), ...(await newMember(world, intent)) };
    const twice = portfolio.executeUpdate(addMemberUpdate, { args: [member] });
    assert.equal((await refusalOf(twice)).code, 'member_exists');
    const stranger = { ...sent('agent-1'), intent_id: portfolioIdOf(portfolio) };
    const removed = portfolio.executeUpdate(removeMemberUpdate, { args: [stranger] });
    assert.equal((await refusalOf(removed)).code, 'member_not_found');
    const change = { governance_policy: { deadline: await inSeconds(world, -1) } };
    const changed = portfolio.executeUpdate(changePortfolioUpdate, {
      args: [{ ...sent('agent-1'), change }],
    });
    assert.equal((await refusalOf(changed)).code, 'deadline_in_past');
    assert.deepEqual(await readPortfolio(portfolio), before);
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });

  it('keeps its log without a gap over its runs, and its members with it', async () => {
    const portfolio = await openPortfolio(world, { history_limit: 60 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    let written = 0;
    await untilNextRun(portfolio, async () => {
      const change = { metadata: { written } };
      const input = { ...sent('agent-1'), change };
      await portfolio.executeUpdate(changePortfolioUpdate, { args: [input] }).then(
        () => (written += 1),
        () => undefined,
      );
    });
    const view = await world.ask(intent);
    const log = await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      log.map((_event, index) => index + 1),
    );
    assert.equal(
      log.filter(({ event_type: type }) => type === 'portfolio.changed').length,
      written,
    );
    await writeStatus(intent, 'abandoned');
    await world.suspension(view.id).result();
    await complete(portfolio);
  });

  it('carries a write under a key out once, also where its repeat comes in another run', async () => {
    const portfolio = await openPortfolio(world, { history_limit: 60 });
    const change = (name: string, once?: Once) => {
      const input = { ...sent('agent-1'), change: { name }, ...(once && { once }) };
      return portfolio.executeUpdate(changePortfolioUpdate, { args: [input] });
    };
    const once = { key: 'a key', body_hash: 'a hash' };
    const first = (await change('Returns', once)) as unknown as Under<PortfolioSnapshot>;
    assert.equal(first.body_hash, once.body_hash);
    await untilNextRun(portfolio, () => change('Refunds').catch(() => undefined));
    await atRest(portfolio);
    assert.deepEqual(await change('Returns', once), first);
    assert.equal((await readPortfolio(portfolio)).name, 'Refunds');
    const other = change('Another', { ...once, body_hash: 'another' });
    assert.equal((await refusalOf(other)).code, 'idempotency_key_reused');
  });

  it('is abandoned where Temporal cancels it, and its members are not', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await portfolio.cancel();
    await portfolio.result();
    const log = await portfolioLog(world, portfolio, 'portfolio.status_changed');
    assert.deepEqual([log.at(-1)?.actor, log.at(-1)?.payload['status']], ['temporal', 'abandoned']);
    await writeStatus(intent, 'completed');
    await intent.result();
  });
});
