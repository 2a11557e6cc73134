import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { logOf, refusalOf } from '../support/intents.js';
import {
  claimUpdate,
  operatorResponseSignal,
  recordQuery,
  releaseUpdate,
  withdrawSignal,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import { LADDER, openDelivered, reportsOf, respond, timelineOf } from '../support/suspensions.js';
import type { Opened, openSuspension } from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

const WINDOW = { timeout_seconds: 7_200 };

describe('claims of a suspension', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function openAtRest(
    body: Parameters<typeof openSuspension>[1] = WINDOW,
    input: Parameters<typeof openSuspension>[2] = {},
  ): Promise<Opened> {
    return openDelivered(world, body, input);
  }

  const claim = ({ handle }: Pick<Opened, 'handle'>, by = 'alice') =>
    handle.executeUpdate(claimUpdate, { args: [sent(by, 'operator')] });
  const release = ({ handle }: Pick<Opened, 'handle'>, by = 'alice') =>
    handle.executeUpdate(releaseUpdate, { args: [sent(by, 'operator')] });

  async function answerBy(
    { view }: Pick<Opened, 'view'>,
    principal: string,
    fields: Partial<OperatorAnswer> = {},
  ): Promise<OperatorAnswer> {
    const answer = await world.answer(view, 'approve', `r:${principal}`);
    const by = caller(principal, 'operator');
    return { ...answer, responded_by: principal, by, ...fields };
  }

  async function end({ handle }: Pick<Opened, 'handle'>): Promise<void> {
    const withdrawal = { cancelled_by: 'agent-1', settled_by: 'agent' } as const;
    await handle.signal(withdrawSignal, withdrawal);
    await handle.result();
  }

  it('are in the view, the timeline, the row and the report to the intent', async () => {
    const opened = await openAtRest();
    const view = await claim(opened);
    assert.equal(view.claim?.holder, 'alice');
    const [entry] = await timelineOf(opened, 'claimed');
    const { expires_at } = view.claim;
    assert.deepEqual(entry?.detail, { claimed_by: 'alice', expires_at });
    assert.equal(
      Date.parse(expires_at) - Date.parse(view.claim.claimed_at),
      LIMITS.claimSeconds * 1_000,
    );
    const [report] = await reportsOf(opened);
    assert.ok(report?.kind === 'event');
    assert.deepEqual(report.event, {
      event_type: 'intent.suspension_claimed',
      actor: 'alice',
      principal: 'alice',
      payload: { suspension_id: opened.id, claimed_by: 'alice', expires_at },
    });
    await release(opened);
    await world.sleep('1 s');
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_progress' && row.suspension_id === opened.id ? [row.claim] : [],
    );
    assert.deepEqual(rows, [view.claim, undefined]);
    assert.equal((await opened.handle.query(recordQuery)).claim, undefined);
    await end(opened);
  });

  it('are events in the log of the intent that waits', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent, WINDOW);
    const handle = world.suspension(view.id);
    await claim({ handle });
    await release({ handle });
    const told = (await logOf(world, intent)).filter(({ event_type }) =>
      ['intent.suspension_claimed', 'intent.suspension_released'].includes(event_type),
    );
    assert.deepEqual(
      told.map(({ event_type, principal, payload }) => [event_type, principal, payload['holder']]),
      [
        ['intent.suspension_claimed', 'alice', undefined],
        ['intent.suspension_released', 'alice', 'alice'],
      ],
    );
    await respond({ handle }, await world.answer(view));
    await handle.result();
  });

  it('of two people sent together are the one that came first', async () => {
    const opened = await openAtRest();
    await world.stopWorker();
    const both = ['alice', 'bob'].map((one) => {
      const sentOne = claim(opened, one);
      const refused = refusalOf(sentOne).catch(() => undefined);
      return Promise.all([sentOne.catch(() => undefined), refused]);
    });
    await world.startWorker();
    const outcomes = await Promise.all(both);
    const [holder, ...others] = outcomes.flatMap(([view]) => view?.claim?.holder ?? []);
    const refusals = outcomes.flatMap(([, refusal]) => refusal ?? []);
    assert.deepEqual(others, []);
    assert.deepEqual(
      refusals.map(({ code, state }) => [code, state?.['holder']]),
      [['claimed_by_other', holder]],
    );
    assert.equal((await opened.handle.query(recordQuery)).claim?.holder, holder);
    await end(opened);
  });

  for (const [first, second] of [
    ['alice', 'bob'],
    ['bob', 'alice'],
  ] as const) {
    it(`are refused to ${second} while ${first} has one, until it expires`, async () => {
      const opened = await openAtRest();
      await claim(opened, first);
      const { code, state } = await refusalOf(claim(opened, second));
      assert.deepEqual([code, state?.['holder']], ['claimed_by_other', first]);
      await world.sleep('1800 s');
      assert.equal((await claim(opened, second)).claim?.holder, second);
      await end(opened);
    });
  }

  it('are renewed by their holder, and only the first is told', async () => {
    const opened = await openAtRest();
    await claim(opened);
    await world.sleep('1200 s');
    await claim(opened);
    await world.sleep('1200 s');
    assert.equal((await refusalOf(claim(opened, 'bob'))).code, 'claimed_by_other');
    assert.equal((await timelineOf(opened, 'claimed')).length, 1);
    assert.equal((await reportsOf(opened)).length, 1);
    await end(opened);
  });

  describe('against an answer by another', () => {
    it('stand in its way, unless it is meant all the same', async () => {
      const opened = await openAtRest();
      await claim(opened);
      const answer = await answerBy(opened, 'bob');
      const { code, field } = await refusalOf(respond(opened, answer));
      assert.deepEqual([code, field], ['claimed_by_other', 'despite_claim']);
      const receipt = await respond(opened, { ...answer, despite_claim: true });
      assert.equal(receipt.verdict, 'settled');
      const [accepted] = await timelineOf(opened, 'answer_accepted');
      assert.equal(accepted?.detail['despite_claim_of'], 'alice');
      await opened.handle.result();
    });

    it('stand in the way of a Signal too, which is recorded as rejected', async () => {
      const opened = await openAtRest();
      await claim(opened);
      await opened.handle.signal(operatorResponseSignal, await answerBy(opened, 'bob'));
      await world.sleep('1 s');
      const [rejected] = await timelineOf(opened, 'answer_rejected');
      assert.equal(rejected?.detail['code'], 'claimed_by_other');
      const meant = await answerBy(opened, 'bob', { despite_claim: true });
      await opened.handle.signal(operatorResponseSignal, meant);
      assert.equal((await opened.handle.result()).responded_by, 'bob');
    });

    it('come too late where it was received first, though it is read later', async () => {
      const opened = await openAtRest();
      const answer = await answerBy(opened, 'bob');
      await world.sleep('1 s');
      await claim(opened);
      await opened.handle.signal(operatorResponseSignal, answer);
      const { responded_by, responded_at } = await opened.handle.result();
      assert.deepEqual([responded_by, responded_at], ['bob', answer.received_at]);
    });

    it('are refused once it has settled the question', async () => {
      const opened = await openAtRest();
      world.activities.storeIsDown = true;
      await respond(opened, await answerBy(opened, 'bob'));
      const { code } = await refusalOf(claim(opened));
      assert.equal(code, 'suspension_settled');
      world.activities.storeIsDown = false;
      await world.sleep('10 s');
      await opened.handle.result();
    });

    it('hold until their end, and not a moment longer', async () => {
      const opened = await openAtRest();
      await claim(opened);
      await world.sleep('1790 s');
      const answer = await answerBy(opened, 'bob');
      assert.equal((await refusalOf(respond(opened, answer))).code, 'claimed_by_other');
      await world.sleep('10 s');
      assert.equal((await respond(opened, answer)).verdict, 'settled');
      await opened.handle.result();
    });

    it('do not stand in the way of their holder', async () => {
      const opened = await openAtRest();
      await claim(opened);
      await respond(opened, await answerBy(opened, 'alice'));
      const [accepted] = await timelineOf(opened, 'answer_accepted');
      assert.equal(accepted?.detail['despite_claim_of'], undefined);
      await opened.handle.result();
    });
  });

  for (const isReleasedFirst of [true, false]) {
    const order = isReleasedFirst ? 'after' : 'before';
    it(`of another ${order} the release ${isReleasedFirst ? 'count' : 'are refused'}`, async () => {
      const opened = await openAtRest();
      await claim(opened, 'alice');
      const release_ = () => release(opened, 'alice');
      const claim_ = () => claim(opened, 'bob');
      if (isReleasedFirst) {
        await release_();
        assert.equal((await claim_()).claim?.holder, 'bob');
        assert.equal((await refusalOf(release_())).code, 'forbidden');
      } else {
        assert.equal((await refusalOf(claim_())).code, 'claimed_by_other');
        assert.equal((await release_()).claim, undefined);
        assert.equal((await refusalOf(release_())).code, 'not_claimed');
      }
      await end(opened);
    });
  }

  it('are judged after the expiry that was due while nobody was there', async () => {
    const opened = await openAtRest({ timeout_seconds: 600 });
    await world.stopWorker();
    await world.sleep('601 s');
    world.activities.storeIsDown = true;
    const refused = refusalOf(claim(opened));
    await world.startWorker();
    const { code, state } = await refused;
    assert.deepEqual([code, state?.['resolution']], ['suspension_settled', 'expired']);
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.equal((await opened.handle.result()).resolution, 'expired');
  });

  it('do not stop the ladder, which tells the next people who has it', async () => {
    const opened = await openAtRest({ retry_policy: LADDER });
    await world.sleep('3500 s');
    await claim(opened);
    await world.sleep('101 s');
    await world.sleep('3610 s');
    const all = world.activities.notified;
    const sentTo = all.filter(({ suspension_id }) => suspension_id === opened.id);
    assert.deepEqual(
      sentTo.map(({ attempt, held_by }) => [attempt, held_by]),
      [
        [1, undefined],
        [2, 'alice'],
        [3, undefined],
      ],
    );
    await end(opened);
  });

  it('are of no agent, whatever its name', async () => {
    const opened = await openAtRest();
    const claimed = opened.handle.executeUpdate(claimUpdate, { args: [sent('agent-1', 'agent')] });
    assert.equal((await refusalOf(claimed)).code, 'forbidden');
    const malformed = opened.handle.executeUpdate(claimUpdate, { args: [{} as never] });
    assert.equal((await refusalOf(malformed)).code, 'invalid_request');
    assert.deepEqual(await timelineOf(opened, 'claimed'), []);
    await end(opened);
  });
});
