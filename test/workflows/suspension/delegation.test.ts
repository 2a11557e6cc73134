import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  changeEligibilityUpdate,
  commentUpdate,
  delegateUpdate,
  recordQuery,
  releaseUpdate,
  withdrawSignal,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import { logOf, refusalOf } from '../support/intents.js';
import { openDelivered, respond, timelineOf } from '../support/suspensions.js';
import type { Opened, openSuspension } from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

const NAMED = {
  timeout_seconds: 7_200,
  decision_rule: { eligible: { principals: ['alice'] }, excluded: ['eve'] },
};
const REASON = 'She knows the customer.';

describe('a suspension that is passed on, or talked about', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = NAMED): Promise<Opened> {
    return openDelivered(world, body);
  }

  const delegate = ({ handle }: Pick<Opened, 'handle'>, to = 'carol', by = 'alice') =>
    handle.executeUpdate(delegateUpdate, {
      args: [{ ...sent(by, 'operator'), to, reason: REASON }],
    });
  const comment = ({ handle }: Pick<Opened, 'handle'>, text: string, by = 'alice') =>
    handle.executeUpdate(commentUpdate, { args: [{ ...sent(by, 'operator'), text }] });

  async function answerBy({ view }: Opened, principal: string): Promise<OperatorAnswer> {
    const answer = await world.answer(view, 'approve', `r:${principal}`);
    return { ...answer, responded_by: principal, by: caller(principal, 'operator') };
  }

  async function end({ handle }: Pick<Opened, 'handle'>): Promise<void> {
    await handle.signal(withdrawSignal, { cancelled_by: 'agent-1', settled_by: 'agent' });
    await handle.result();
  }

  it('is answered by whom it was delegated to, who hears of it once', async () => {
    const opened = await openAtRest();
    assert.equal(
      (await refusalOf(respond(opened, await answerBy(opened, 'carol')))).code,
      'not_eligible',
    );
    const view = await delegate(opened);
    assert.deepEqual([view.claim?.holder, view.delegations?.[0]?.reason], ['carol', REASON]);
    assert.deepEqual(view.rule.eligible.principals, ['alice', 'carol']);
    await delegate(opened);
    await world.sleep('1 s');
    const told = world.activities.notified.filter(
      ({ suspension_id }) => suspension_id === opened.id,
    );
    assert.deepEqual(
      told.map(({ notify_to, delegated_by }) => [notify_to, delegated_by]),
      [
        [null, undefined],
        ['carol', 'alice'],
      ],
    );
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_progress' && row.suspension_id === opened.id ? [row.delegates] : [],
    );
    assert.deepEqual(rows, [['carol']]);
    const { verdict } = await respond(opened, await answerBy(opened, 'carol'));
    assert.equal(verdict, 'settled');
    await opened.handle.result();
  });

  it('is answered by a member of the group that it was delegated to, which hears of it once', async () => {
    const opened = await openAtRest();
    const toGroup = async () =>
      opened.handle.executeUpdate(delegateUpdate, {
        args: [{ ...sent('alice', 'operator'), to_group: 'finance', reason: REASON }],
      });
    const view = await toGroup();
    assert.deepEqual(
      [view.claim, view.delegations?.[0]?.to_group, view.rule.eligible.groups],
      [undefined, 'finance', ['finance']],
    );
    await toGroup();
    await world.sleep('1 s');
    const told = world.activities.notified.filter(
      ({ suspension_id }) => suspension_id === opened.id,
    );
    assert.deepEqual(
      told
        .slice(1)
        .map(({ notify_to, delegated_by, to_group }) => [notify_to, delegated_by, to_group]),
      [['finance', 'alice', 'finance']],
    );
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_progress' && row.suspension_id === opened.id
        ? [row.delegate_groups]
        : [],
    );
    assert.deepEqual(rows, [{ finance: ['alice'] }]);
    const answer = await answerBy(opened, 'dave');
    assert.equal((await refusalOf(respond(opened, answer))).code, 'not_eligible');
    await respond(opened, { ...answer, by: { ...answer.by, groups: ['finance'] } });
    await opened.handle.result();
  });

  it('carries what was delegated to a group into its next run', async () => {
    const opened = await openDelivered(world, NAMED, { history_limit: 10 });
    await opened.handle.executeUpdate(delegateUpdate, {
      args: [{ ...sent('alice', 'operator'), to_group: 'finance', reason: REASON }],
    });
    const { runId } = await opened.handle.describe();
    for (let run = runId, n = 0; run === runId; run = (await opened.handle.describe()).runId) {
      await comment(opened, `Still waiting: ${(n += 1)}.`).catch(() => undefined);
    }
    const answer = await answerBy(opened, 'dave');
    await respond(opened, { ...answer, by: { ...answer.by, groups: ['finance'] } });
    await opened.handle.result();
  });

  it('is delegated to nobody who asked it or is excluded', async () => {
    const opened = await openAtRest();
    for (const to of ['agent-1', 'eve']) {
      assert.equal((await refusalOf(delegate(opened, to))).code, 'not_eligible');
    }
    assert.deepEqual(await timelineOf(opened, 'delegated'), []);
    await end(opened);
  });

  it('is not delegated where several people decide', async () => {
    const opened = await openAtRest({
      ...NAMED,
      response_type: 'confirm',
      decision_rule: { eligible: { principals: ['alice', 'bob'] }, quorum: 2 },
    });
    assert.equal((await refusalOf(delegate(opened))).code, 'delegation_not_allowed');
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([view.rule.eligible.principals, view.claim], [['alice', 'bob'], undefined]);
    await end(opened);
  });

  it('is delegated again, or released, by who gave it a wrong name', async () => {
    const opened = await openAtRest();
    await delegate(opened, 'carrol');
    assert.equal((await delegate(opened)).claim?.holder, 'carol');
    const wrong = await answerBy(opened, 'carrol');
    assert.equal((await refusalOf(respond(opened, wrong))).code, 'not_eligible');
    await world.sleep('1800 s');
    const released = await opened.handle.executeUpdate(releaseUpdate, {
      args: [sent('alice', 'operator')],
    });
    assert.deepEqual(
      released.delegations?.map(({ to, in_force }) => [to, in_force]),
      [
        ['carrol', false],
        ['carol', false],
      ],
    );
    assert.deepEqual(released.rule.eligible.principals, ['alice']);
    const right = await answerBy(opened, 'carol');
    assert.equal((await refusalOf(respond(opened, right))).code, 'not_eligible');
    await world.sleep('1 s');
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_progress' && row.suspension_id === opened.id ? [row.delegates] : [],
    );
    assert.deepEqual(rows, [['carrol'], ['carol'], undefined]);
    await end(opened);
  });

  it('is delegated no more once somebody has answered, and answered after', async () => {
    const first = await openAtRest();
    world.activities.storeIsDown = true;
    await respond(first, await answerBy(first, 'alice'));
    assert.equal((await refusalOf(delegate(first))).code, 'suspension_settled');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await first.handle.result();
    const second = await openAtRest();
    await delegate(second);
    const { code } = await refusalOf(respond(second, await answerBy(second, 'alice')));
    assert.equal(code, 'claimed_by_other');
    await respond(second, { ...(await answerBy(second, 'alice')), despite_claim: true });
    await second.handle.result();
  });

  it('is the admin’s to take back from whom it was delegated to', async () => {
    const opened = await openAtRest();
    await delegate(opened);
    const eligible = { principals: ['alice'] };
    const view = await opened.handle.executeUpdate(changeEligibilityUpdate, {
      args: [{ by: caller('root', 'admin'), eligible }],
    });
    assert.deepEqual([view.rule.eligible, view.claim], [eligible, undefined]);
    const { code } = await refusalOf(respond(opened, await answerBy(opened, 'carol')));
    assert.equal(code, 'not_eligible');
    await end(opened);
  });

  it('shows comments and counts them, to lists and to the log of its intent', async () => {
    const intent = await world.openIntent();
    const asked = await world.ask(intent, { timeout_seconds: 7_200 });
    const handle = world.suspension(asked.id);
    await comment({ handle }, 'She called twice.');
    await comment({ handle }, 'She called twice.');
    const byAgent = { ...sent('agent-1', 'agent'), text: 'Order 7 is late.' };
    const view = await handle.executeUpdate(commentUpdate, { args: [byAgent] });
    assert.deepEqual(
      view.comments?.map(({ principal, text }) => [principal, text]),
      [
        ['alice', 'She called twice.'],
        ['agent-1', 'Order 7 is late.'],
      ],
    );
    await world.sleep('1 s');
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_progress' && row.suspension_id === asked.id
        ? [row.comment_count]
        : [],
    );
    assert.equal(rows.at(-1), 2);
    const told = (await logOf(world, intent)).filter(
      ({ event_type }) => event_type === 'intent.suspension_commented',
    );
    assert.deepEqual(
      told.map(({ payload }) => payload['text']),
      ['She called twice.', 'Order 7 is late.'],
    );
    await respond({ handle }, await world.answer(asked));
    await handle.result();
  });

  it('takes no comment once it is settled, and forgets those it had', async () => {
    const opened = await openAtRest();
    await comment(opened, 'She called twice.');
    world.activities.storeIsDown = true;
    await respond(opened, await answerBy(opened, 'alice'));
    assert.equal((await refusalOf(comment(opened, 'Too late.'))).code, 'suspension_settled');
    assert.equal((await opened.handle.query(recordQuery)).comment_count, 1);
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await opened.handle.result();
  });
});
