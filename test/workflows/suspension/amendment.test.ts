import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  amendUpdate,
  claimUpdate,
  operatorResponseSignal,
  progressQuery,
  recordQuery,
  releaseUpdate,
  withdrawSignal,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import { logOf, refusalOf, snapshotOf } from '../support/intents.js';
import { LADDER, openDelivered, respond, timelineOf } from '../support/suspensions.js';
import type { Opened, openSuspension } from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

const WINDOW = { timeout_seconds: 3_600 };
const NEW = { question: 'Refund it in part?' };

describe('a suspension that is amended', () => {
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

  const amend = (
    { handle }: Pick<Opened, 'handle'>,
    amendment: object = NEW,
    question_version = 1,
  ) =>
    handle.executeUpdate(amendUpdate, {
      args: [{ ...sent('agent-1', 'agent'), question_version, amendment }],
    });

  async function answerBy({ view }: Pick<Opened, 'view'>, principal: string, version?: number) {
    const answer = await world.answer(view, 'approve', `r:${principal} ${version ?? ''}`);
    const by = caller(principal, 'operator');
    const named = version === undefined ? {} : { question_version: version };
    return { ...answer, responded_by: principal, by, ...named } satisfies OperatorAnswer;
  }

  async function end({ handle }: Pick<Opened, 'handle'>): Promise<void> {
    await handle.signal(withdrawSignal, { cancelled_by: 'agent-1', settled_by: 'agent' });
    await handle.result();
  }

  it('changes the record of its intent, its log and its row, and resumes with the new choices', async () => {
    const intent = await world.openIntent();
    const asked = await world.ask(intent, WINDOW);
    const handle = world.suspension(asked.id);
    const choices = [{ value: 'approve', label: 'Refund half' }];
    const { version } = (await snapshotOf(intent)).intent;
    const view = await amend({ handle }, { ...NEW, choices });
    assert.deepEqual([view.question_version, view.record.question], [2, NEW.question]);
    const { intent: after } = await snapshotOf(intent);
    const slot = after.state['_suspension'] as Record<string, unknown>;
    assert.deepEqual([slot['question'], slot['question_version']], [NEW.question, 2]);
    assert.deepEqual([after.version, slot['choices']], [version + 1, choices]);
    await world.sleep('1 s');
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_progress' && row.suspension_id === asked.id ? [row.amended] : [],
    );
    assert.equal(rows.at(-1)?.question, NEW.question);
    await respond({ handle }, await answerBy({ view: asked }, 'alice', 2));
    await handle.result();
    const log = await logOf(world, intent);
    const [amended] = log.filter((event) => event.event_type === 'intent.suspension_amended');
    assert.deepEqual(
      [amended?.principal, amended?.payload['question_version'], amended?.payload['changed']],
      ['agent-1', 2, ['question', 'choices']],
    );
    const [resumed] = log.filter((event) => event.event_type === 'intent.resumed');
    assert.equal(resumed?.payload['choice_label'], 'Refund half');
  });

  it('brings what it was amended to until the store has it, and not with each later change', async () => {
    const opened = await openAtRest();
    const amendedIn = () =>
      world.activities.rows.flatMap((row) =>
        row.kind === 'suspension_progress' && row.suspension_id === opened.id
          ? [row.amended?.question]
          : [],
      );
    const claim = (by: string) =>
      opened.handle.executeUpdate(claimUpdate, { args: [sent(by, 'operator')] });
    world.activities.storeIsDown = true;
    await amend(opened);
    await claim('alice');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    const written = amendedIn().length;
    assert.equal(amendedIn().at(-1), NEW.question, 'the later row takes the place of the other');
    await opened.handle.executeUpdate(releaseUpdate, { args: [sent('alice', 'operator')] });
    await claim('bob');
    await world.sleep('1 s');
    assert.deepEqual(amendedIn().slice(written), [undefined, undefined]);
    const progress = await opened.handle.query(progressQuery);
    assert.deepEqual(
      [progress?.amended?.question, progress?.claim?.holder],
      [NEW.question, 'bob'],
      'who finds the store behind gets all of it',
    );
    await end(opened);
  });

  it('refuses an answer that is not for its version, by Update and by Signal', async () => {
    const opened = await openAtRest();
    const before = await answerBy(opened, 'alice');
    await world.sleep('1 s');
    await amend(opened);
    const named = refusalOf(respond(opened, await answerBy(opened, 'bob', 1)));
    assert.equal((await named).code, 'question_version_mismatch');
    const unnamed = refusalOf(respond(opened, await answerBy(opened, 'bob')));
    assert.equal((await unnamed).code, 'question_version_mismatch');
    await opened.handle.signal(operatorResponseSignal, before);
    await world.sleep('1 s');
    const [rejected] = await timelineOf(opened, 'answer_rejected');
    assert.equal(rejected?.detail['code'], 'question_version_mismatch');
    await respond(opened, await answerBy(opened, 'bob', 2));
    assert.equal((await opened.handle.result()).question, NEW.question);
  });

  it('is amended no more once it is answered', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    await respond(opened, await answerBy(opened, 'alice', 1));
    assert.equal((await refusalOf(amend(opened))).code, 'suspension_settled');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    const { question } = await opened.handle.result();
    assert.equal(question, 'Refund?');
  });

  it('counts votes anew, and one that came before falls away', async () => {
    const opened = await openAtRest({ ...WINDOW, decision_rule: { quorum: 2 } });
    await respond(opened, await answerBy(opened, 'alice', 1));
    const view = await amend(opened);
    assert.deepEqual([view.votes, view.approvals], [[], 0]);
    assert.equal((await respond(opened, await answerBy(opened, 'alice', 2))).verdict, 'counted');
    assert.equal((await respond(opened, await answerBy(opened, 'bob', 2))).verdict, 'settled');
    assert.equal((await opened.handle.result()).votes?.length, 2);
  });

  it('keeps its deadlines: due before it, or after', async () => {
    const opened = await openAtRest();
    await world.sleep('3000 s');
    await amend(opened);
    await world.sleep('600 s');
    assert.equal((await opened.handle.result()).resolution, 'expired');
    const late = await openAtRest();
    await world.stopWorker();
    await world.sleep('3601 s');
    world.activities.storeIsDown = true;
    const refused = refusalOf(amend(late));
    await world.startWorker();
    assert.equal((await refused).code, 'suspension_settled');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await late.handle.result();
  });

  it('reminds in the new wording', async () => {
    const opened = await openAtRest({ retry_policy: LADDER });
    await amend(opened);
    await world.sleep('3610 s');
    const told = world.activities.notified.filter(
      ({ suspension_id }) => suspension_id === opened.id,
    );
    assert.deepEqual(
      told.map(({ question, question_version }) => [question, question_version]),
      [
        ['Refund?', undefined],
        [NEW.question, 2],
      ],
    );
    await end(opened);
  });

  it('is amended by nobody else, and by one of two who correct the same version', async () => {
    const opened = await openAtRest();
    const other = { ...sent('agent-2', 'agent'), question_version: 1, amendment: NEW };
    const foreign = opened.handle.executeUpdate(amendUpdate, { args: [other] });
    assert.equal((await refusalOf(foreign)).code, 'forbidden');
    await amend(opened);
    const second = refusalOf(amend(opened, { question: 'Another?' }));
    assert.equal((await second).code, 'question_version_mismatch');
    await amend(opened);
    assert.equal((await opened.handle.query(recordQuery)).question_version, 2);
    assert.equal((await timelineOf(opened, 'amended')).length, 1);
    await end(opened);
  });
});
