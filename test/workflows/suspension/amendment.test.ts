import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  amendUpdate,
  claimUpdate,
  progressQuery,
  releaseUpdate,
} from '../../../workflows/suspension/messages.js';
import { logOf, snapshotOf } from '../support/intents.js';
import {
  withdrawn,
  answerBy,
  LADDER,
  openDelivered,
  respond,
  type Opened,
  type openSuspension,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const WINDOW = { timeout_seconds: 3_600 };
const NEW = { question: 'Refund it in part?' };

describe('a suspension that is amended', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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
    await respond(
      { handle },
      await answerBy(world, { view: asked }, 'alice', { question_version: 2 }),
    );
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
    await withdrawn(opened);
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
    await withdrawn(opened);
  });
});
