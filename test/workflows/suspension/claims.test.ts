import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { refusalOf } from '../support/intents.js';
import { claimUpdate, recordQuery, releaseUpdate } from '../../../workflows/suspension/messages.js';
import {
  withdrawn,
  answerBy,
  LADDER,
  openDelivered,
  reportsOf,
  respond,
  timelineOf,
  type Opened,
  type openSuspension,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const WINDOW = { timeout_seconds: 7_200 };

describe('claims of a suspension', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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
    await withdrawn(opened);
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
    await withdrawn(opened);
  });

  describe('against an answer by another', () => {
    it('stand in its way, unless it is meant all the same', async () => {
      const opened = await openAtRest();
      await claim(opened);
      const answer = await answerBy(world, opened, 'bob');
      const { code, field } = await refusalOf(respond(opened, answer));
      assert.deepEqual([code, field], ['claimed_by_other', 'despite_claim']);
      const receipt = await respond(opened, { ...answer, despite_claim: true });
      assert.equal(receipt.verdict, 'settled');
      const [accepted] = await timelineOf(opened, 'answer_accepted');
      assert.equal(accepted?.detail['despite_claim_of'], 'alice');
      await opened.handle.result();
    });
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
    await withdrawn(opened);
  });
});
