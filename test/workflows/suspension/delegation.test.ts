import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commentUpdate, delegateUpdate } from '../../../workflows/suspension/messages.js';
import { logOf, refusalOf } from '../support/intents.js';
import {
  answerBy,
  openDelivered,
  respond,
  type Opened,
  type openSuspension,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const NAMED = {
  timeout_seconds: 7_200,
  decision_rule: { eligible: { principals: ['alice'] }, excluded: ['eve'] },
};
const REASON = 'She knows the customer.';

describe('a suspension that is passed on, or talked about', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = NAMED): Promise<Opened> {
    return openDelivered(world, body);
  }

  const delegate = ({ handle }: Pick<Opened, 'handle'>, to = 'carol', by = 'alice') =>
    handle.executeUpdate(delegateUpdate, {
      args: [{ ...sent(by, 'operator'), to, reason: REASON }],
    });
  const comment = ({ handle }: Pick<Opened, 'handle'>, text: string, by = 'alice') =>
    handle.executeUpdate(commentUpdate, { args: [{ ...sent(by, 'operator'), text }] });

  it('is answered by whom it was delegated to, who hears of it once', async () => {
    const opened = await openAtRest();
    assert.equal(
      (await refusalOf(respond(opened, await answerBy(world, opened, 'carol')))).code,
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
    const { verdict } = await respond(opened, await answerBy(world, opened, 'carol'));
    assert.equal(verdict, 'settled');
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
    const answer = await answerBy(world, opened, 'dave');
    await respond(opened, { ...answer, by: { ...answer.by, groups: ['finance'] } });
    await opened.handle.result();
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
});
