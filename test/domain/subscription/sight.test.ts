import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Guarded } from '../../../contracts/intent/access.js';
import type { Caller } from '../../../contracts/people/caller.js';
import {
  presentSight,
  shownOf,
  sightOf,
  subscriptionSecret,
} from '../../../domain/subscription/subscription.js';
import { caller } from '../../support/callers.js';

const NOW = Date.UTC(2026, 0, 1);
const ENTRY = { principal_type: 'group', permission: 'read', expires_at: null } as const;
/** An intent of another agent, which only a group may read. */
const OF_GROUP: Guarded = {
  owner: 'agent-2',
  access: { default_policy: 'closed', entries: [{ ...ENTRY, principal_id: 'finance' }] },
};
const OPEN: Guarded = { owner: 'agent-2', access: null };

const agent = (...groups: string[]): Caller => ({ ...caller('alice'), groups });
const operator = caller('alice', 'operator');

/** What the receiver gets of an event if `made` has become `present`. */
function shown(
  made: Caller,
  present: readonly Caller[] | undefined,
  event: { guarded?: Guarded; isOfRun?: boolean; isOwn?: boolean; agentsRead?: 'own' } = {},
) {
  const { guarded = OPEN, isOfRun = false, isOwn = false, agentsRead } = event;
  const sights = present?.flatMap((one) => presentSight(one, agentsRead) ?? []);
  return shownOf(sightOf(made), sights, { guarded, isOfRun, isOwn }, NOW);
}

describe('what the receiver of a subscription gets', () => {
  it('is what its maker saw, as long as nothing changed or nobody knows', () => {
    assert.equal(shown(operator, [operator]), 'all');
    assert.equal(shown(operator, undefined), 'all');
    assert.equal(shown(agent(), [agent()]), 'part');
    assert.equal(shown(agent(), undefined), 'part');
    assert.equal(shown(agent('finance'), [agent('finance')], { guarded: OF_GROUP }), 'part');
    assert.equal(shown(agent(), [agent()], { guarded: OF_GROUP }), 'nothing');
  });

  it('is no more than its maker sees now', () => {
    assert.equal(shown(operator, [agent()]), 'part');
    assert.equal(shown(operator, [agent()], { guarded: OF_GROUP }), 'nothing');
    assert.equal(shown(operator, [agent()], { isOfRun: true }), 'nothing');
    assert.equal(shown(agent('finance'), [agent()], { guarded: OF_GROUP }), 'nothing');
    assert.equal(shown(agent(), [agent()], { agentsRead: 'own' }), 'nothing');
    assert.equal(shown(operator, []), 'nothing');
  });

  it('is no more than its maker saw then', () => {
    assert.equal(shown(agent(), [operator]), 'part');
    assert.equal(shown(agent(), [operator], { guarded: OF_GROUP }), 'nothing');
    assert.equal(shown(agent(), [operator], { isOfRun: true }), 'nothing');
    assert.equal(shown(agent(), [agent('finance')], { guarded: OF_GROUP }), 'nothing');
  });

  it('needs one key of several that shows it, and no rights that are spread over them', () => {
    assert.equal(shown(operator, [agent(), operator]), 'all');
    const several = [agent('sales'), agent('finance')];
    assert.equal(shown(operator, several, { guarded: OF_GROUP }), 'part');
  });

  it('is all of what its maker owns', () => {
    assert.equal(shown(agent(), [agent()], { isOwn: true }), 'all');
    assert.equal(shown(operator, [agent()], { isOwn: true }), 'all');
  });
});

describe('what a caller sees now', () => {
  it('is nothing without a role that reads events', () => {
    assert.equal(presentSight({ ...operator, roles: [] }), null);
    assert.equal(presentSight(caller('alice', 'user')), null);
  });

  it('is what an auditor reads, who may make no subscription', () => {
    assert.deepEqual(presentSight(caller('alice', 'auditor')), { sees_all: true });
  });
});

const ID = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
const OTHER_ID = '1b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
const KEY = Buffer.alloc(24, 'a');
const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`;

describe('the secret of a subscription', () => {
  it('is an HMAC of its id under a secret of the installation', () => {
    const text = `holdpoint webhook subscription ${ID}`;
    const digest = createHmac('sha256', KEY).update(text).digest();
    assert.equal(subscriptionSecret(secretOf(KEY), ID), secretOf(digest));
  });

  it('is the same each time, and another for each subscription and installation', () => {
    const [one, again] = [ID, ID].map((id) => subscriptionSecret(secretOf(KEY), id));
    assert.equal(one, again);
    const others = [
      subscriptionSecret(secretOf(KEY), OTHER_ID),
      subscriptionSecret(secretOf(Buffer.alloc(25, 'a')), ID),
      subscriptionSecret(secretOf(Buffer.alloc(64, 'b')), ID),
    ];
    assert.equal(new Set([one, ...others, secretOf(KEY)]).size, 5);
  });
});
