import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { caller } from '../../support/callers.js';
import { snippetsOf } from '../../support/snippets.js';
import {
  openApproval,
  tierOf,
  vote,
  type ApprovalHandle,
  type AskedTier,
  type Rules,
} from '../support/approvals.js';
import { refusalOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

/** What docs/approvals.md shows of `openintent.yaml`, in its order. */
const [DUAL, PACK, ...OTHERS] = snippetsOf('docs/approvals.md', 'yaml').map(
  (code) => (parse(code) as { readonly approvals: Rules }).approvals,
);

/** How a voter of a group votes. */
function of(principal: string, ...groups: readonly string[]) {
  return { by: { ...caller(principal, 'operator'), groups } };
}

describe('the rules that the page shows', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function propose(rules: Rules, tool: string, args: JsonObject): Promise<ApprovalHandle> {
    const calls = [{ id: 'call-1', tool, arguments: args }];
    return openApproval(world, rules, { calls, on_behalf_of: 'ursula' });
  }

  const codeOf = async (
    tier: AskedTier,
    principal: string,
    ...groups: readonly string[]
  ): Promise<string> => {
    const voted = vote(world, tier, principal, 'approved', of(principal, ...groups));
    return (await refusalOf(voted)).code;
  };

  it('are all tried here', () => {
    assert.ok(DUAL && PACK);
    assert.equal(OTHERS.length, 0);
  });

  it('let reads run, and have two people approve a small wire', async () => {
    const read = await propose(PACK, 'read_mail', {});
    assert.equal((await read.result()).resolution.status, 'approved');
    const wire = await propose(PACK, 'wire', { amount: 9_999 });
    const { approval, record } = await tierOf(world, wire);
    assert.deepEqual([approval.proposal.route, record.decision_rule?.quorum], ['dual_approval', 2]);
    await wire.terminate('seen');
  });

  it('ask the tiers and stages of the pack about a large wire', async () => {
    const handle = await propose(PACK, 'wire', { amount: 10_000 });
    const finance = await tierOf(world, handle);
    assert.equal(await codeOf(finance, 'alice'), 'not_eligible');
    await vote(world, finance, 'alice', 'approved', of('alice', 'finance'));
    await world.sleep('601 s');
    const leads = await tierOf(world, handle, 2);
    await vote(world, leads, 'lea', 'approved', of('lea', 'leads'));
    const { verdict } = await vote(world, leads, 'leo', 'approved', of('leo', 'leads'));
    assert.equal(verdict, 'settled');
    const treasurer = await tierOf(world, handle, 3);
    assert.equal(await codeOf(treasurer, 'lea', 'leads', 'finance'), 'not_eligible');
    await vote(world, treasurer, 'tina');
    const { resolution } = await handle.result();
    assert.deepEqual([resolution.status, resolution.respondent], ['approved', 'tina']);
  });
});
