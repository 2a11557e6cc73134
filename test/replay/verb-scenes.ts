import { UPKEEP } from '../../contracts/constants/names.js';
import {
  amendUpdate,
  changeEligibilityUpdate,
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  releaseUpdate,
  type OperatorAnswer,
} from '../../workflows/suspension/messages.js';
import type { UpkeepInput } from '../../workflows/upkeep/messages.js';
import type { upkeep } from '../../workflows/upkeep/workflow.js';
import { caller, sent } from '../support/callers.js';
import { startFeedWorker } from '../workflows/support/observers.js';
import {
  LADDER,
  openSuspension,
  respond,
  type Opened,
  type SuspensionHandle,
} from '../workflows/support/suspensions.js';
import type { World } from '../workflows/support/world.js';
import type { Scene } from './scenes.js';

const RULE = { eligible: { principals: ['alice', 'bob'] } };
const NAMED = { retry_policy: LADDER, decision_rule: RULE };
const ALICE = sent('alice', 'operator');

/** Everything that people do to an open question, with a wrong name that is taken back, and an attempt in between. */
async function attend(world: World, handle: SuspensionHandle): Promise<void> {
  await handle.executeUpdate(claimUpdate, { args: [{ ...ALICE, question_version: 1 }] });
  await handle.executeUpdate(claimUpdate, { args: [ALICE] });
  await handle.executeUpdate(releaseUpdate, { args: [ALICE] });
  const passed = { ...ALICE, reason: 'She knows the customer.' };
  await handle.executeUpdate(delegateUpdate, { args: [{ ...passed, to: 'carrol' }] });
  await handle.executeUpdate(delegateUpdate, { args: [{ ...passed, to: 'dave' }] });
  await handle.executeUpdate(releaseUpdate, { args: [ALICE] });
  await handle.executeUpdate(delegateUpdate, { args: [{ ...passed, to: 'carol' }] });
  await handle.executeUpdate(commentUpdate, { args: [{ ...ALICE, text: 'She called twice.' }] });
  await world.sleep('3601 s');
  const amending = {
    ...sent('agent-1', 'agent'),
    question_version: 1,
    amendment: { question: 'Refund it in part?' },
    reason: 'The amount was wrong.',
  };
  await handle.executeUpdate(amendUpdate, { args: [amending] });
  await world.sleep('1 s');
}

/** An answer, as one of many that were given at once. */
async function answerBy(
  world: World,
  { view }: Pick<Opened, 'view'>,
  principal: string,
  fields: Partial<OperatorAnswer> = {},
): Promise<OperatorAnswer> {
  const answer = await world.answer(view, 'approve', `bulk:${principal}`);
  return { ...answer, responded_by: principal, by: caller(principal, 'operator'), ...fields };
}

/** What people do to a question without answering it, and how its messages are told. */
export const VERB_SCENES: Readonly<Record<string, Scene>> = {
  async 'suspension-with-every-verb'(world) {
    const opened = await openSuspension(world, NAMED);
    await world.sleep('1 s');
    await attend(world, opened.handle);
    await respond(opened, await answerBy(world, opened, 'carol', { question_version: 2 }));
    await opened.handle.result();
    return { 'suspension-with-every-verb': opened.handle };
  },
  async 'suspension-whose-eligibility-changes'(world) {
    const opened = await openSuspension(world, NAMED);
    await world.sleep('1 s');
    const eligible = { principals: ['bob', 'carol'] };
    const change = { by: caller('root', 'admin'), eligible };
    await opened.handle.executeUpdate(changeEligibilityUpdate, { args: [change] });
    await world.sleep('1 s');
    await respond(opened, await answerBy(world, opened, 'carol'));
    await opened.handle.result();
    return { 'suspension-whose-eligibility-changes': opened.handle };
  },
  async 'intent-whose-question-had-every-verb'(world) {
    const intent = await world.openIntent();
    const view = await world.ask(intent, NAMED);
    const opened = { handle: world.suspension(view.id), view };
    await attend(world, opened.handle);
    await respond(opened, await answerBy(world, opened, 'carol', { question_version: 2 }));
    await opened.handle.result();
    return {
      'intent-whose-question-had-every-verb': intent,
      'suspension-of-an-intent-with-every-verb': opened.handle,
    };
  },
  async 'suspension-with-every-verb-in-two-runs'(world) {
    const opened = await openSuspension(world, NAMED, { history_limit: 40 });
    await world.sleep('1 s');
    const { runId } = await opened.handle.describe();
    await attend(world, opened.handle);
    for (let run = runId, n = 0; run === runId; run = (await opened.handle.describe()).runId) {
      const remark = { ...ALICE, text: `Still waiting: ${(n += 1)}.` };
      await opened.handle.executeUpdate(commentUpdate, { args: [remark] }).catch(() => undefined);
    }
    await respond(opened, await answerBy(world, opened, 'carol', { question_version: 2 }));
    await opened.handle.result();
    const first = world.client.getHandle(opened.handle.workflowId, runId);
    return {
      'suspension-with-every-verb-in-two-runs-1': first,
      'suspension-with-every-verb-in-two-runs-2': opened.handle,
    };
  },
  async 'suspensions-answered-together'(world) {
    const free = await openSuspension(world, NAMED);
    const claimed = await openSuspension(world, NAMED);
    await world.sleep('1 s');
    await claimed.handle.executeUpdate(claimUpdate, { args: [ALICE] });
    const despite = { despite_claim: true };
    const answers = [free, claimed].map(async (one) =>
      respond(one, await answerBy(world, one, 'bob', despite)),
    );
    await Promise.all(answers);
    for (const { handle } of [free, claimed]) await handle.result();
    return {
      'suspension-answered-with-others': free.handle,
      'suspension-answered-with-others-despite-a-claim': claimed.handle,
    };
  },
  async 'upkeep-that-tells-outcomes'(world) {
    const worker = await startFeedWorker(world);
    let tries = 0;
    world.activities.tellOutcomes = async () => {
      tries += 1;
      if (tries < 3) throw new Error('away');
    };
    const input: UpkeepInput = { work: 'follow_ups' };
    const handle = await world.client.start<typeof upkeep>(UPKEEP.type, {
      workflowId: UPKEEP.followUps,
      taskQueue: world.taskQueue,
      args: [input],
    });
    await world.sleep('1 minute');
    await handle.result();
    await worker.stop();
    return { 'upkeep-that-tells-outcomes': handle };
  },
};
