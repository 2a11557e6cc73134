import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Caller } from '../../../contracts/people/caller.js';
import type { ChangePortfolioRequest } from '../../../contracts/portfolio/portfolio.js';
import { addMemberUpdate, changePortfolioUpdate } from '../../../workflows/portfolio/messages.js';
import { caller } from '../../support/callers.js';
import { atRest } from '../support/histories.js';
import { insist, refusalOf } from '../support/intents.js';
import {
  inSeconds,
  newMember,
  openPortfolio,
  type PortfolioHandle,
} from '../support/portfolios.js';
import { perSuite, World } from '../support/world.js';

/** Owns every intent here; the stranger is another agent. */
const OWNER = caller('agent-1');
const STRANGER = caller('stranger');
const PEOPLE = [caller('alice', 'operator'), caller('root', 'admin')];

describe('who lets a deadline reach an intent', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function add(portfolio: PortfolioHandle, by: Caller, owner?: string) {
    const { owner: usual, ...member } = await newMember(world, await world.openIntent());
    const input = { by, actor: by.principal, owner: owner ?? usual ?? '', ...member };
    return insist(() => portfolio.executeUpdate(addMemberUpdate, { args: [input] }));
  }

  async function change(
    portfolio: PortfolioHandle,
    by: Caller,
    governance_policy: ChangePortfolioRequest['governance_policy'],
  ) {
    const input = { by, actor: 'agent-1', change: { governance_policy } };
    return insist(() => portfolio.executeUpdate(changePortfolioUpdate, { args: [input] }));
  }

  const forbidden = async (update: Promise<unknown>) =>
    assert.equal((await refusalOf(update)).code, 'forbidden');

  it('adds it to a portfolio with a deadline only as its owner, an operator or an admin', async () => {
    const portfolio = await openPortfolio(world, { deadline: 3_600 });
    await forbidden(add(portfolio, STRANGER));
    await forbidden(add(portfolio, OWNER, 'somebody else'));
    for (const by of [OWNER, ...PEOPLE]) await add(portfolio, by);
  });

  it('is known in the next run too', async () => {
    const portfolio = await openPortfolio(world, { history_limit: 15 });
    await add(portfolio, OWNER);
    await add(portfolio, STRANGER, 'stranger');
    const { runId } = (await portfolio.describe()).raw.workflowExecutionInfo?.execution ?? {};
    for (let index = 0; index < 12; index += 1) {
      // The server loses an Update that meets the end of a run.
      await atRest(portfolio);
      await change(portfolio, STRANGER, { note: index });
    }
    const now = (await portfolio.describe()).runId;
    assert.notEqual(now, runId);
    const deadline = await inSeconds(world, 1_000);
    await forbidden(change(portfolio, OWNER, { deadline }));
    await change(portfolio, caller('root', 'admin'), { deadline });
  });
});
