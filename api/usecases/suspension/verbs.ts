import type { UpdateDefinition } from '@temporalio/common';
import { defined } from '../../../contracts/constants/defined.js';
import type {
  ClaimRequest,
  CommentRequest,
  DelegateRequest,
  ReleaseRequest,
} from '../../../contracts/suspension/verbs.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension/view.js';
import { checkDelegate } from '../../../domain/directory/directory.js';
import { unknownNames, unknownTaker } from '../../../domain/directory/known-people.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import type { Doing } from '../../../domain/suspension/people/verb.js';
import {
  amendUpdate,
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  releaseUpdate,
} from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { refused } from '../../parts/refusals.js';
import { isEntityId } from '../../../contracts/constants/names.js';
import { WRITE, refuseSecrets, useCase, type Call } from '../usecase.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  QuestionFindings,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import type { AmendRequest } from '../../../contracts/suspension/requests.js';
import { tellingWarnings } from '../../../domain/directory/audience.js';
import { askersOf } from '../../../domain/suspension/answering/resume.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { resolveAmendment } from '../../../domain/suspension/asking/amended-question.js';
import { channelWarnings } from '../../../domain/suspension/asking/configured-question.js';
import { denialWarnings } from '../../../domain/suspension/form/labels.js';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import type { Amending } from '../../../domain/suspension/asking/amendment.js';
import { checkMay, type QuestionAction } from '../../../domain/suspension/people/rights.js';
import type { Parts } from '../../parts/index.js';

/*
 * Actions of people on an open question besides answers. Each use case returns the question as it is then, and throws
 * `suspension_not_found` and `forbidden` besides. After `workflow_unavailable` the action may still happen later. A
 * repetition changes nothing; only a second release is refused.
 */

export const claimSuspension = useCase({
  name: 'claimSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'question_version_mismatch',
    'not_eligible',
    'already_voted',
    'claimed_by_other',
    'too_many_changes',
    ...WRITE,
  ],
  run: (call: Call, id: string, seen: ClaimRequest = {}): Promise<SuspensionView> =>
    send(call, 'claimSuspension', id, claimUpdate, { ...doingOf(call), ...seen }),
});

/** Releases a claim or delegation, for whoever made it, or an admin. */
export const releaseSuspension = useCase({
  name: 'releaseSuspension',
  resource: 'suspension',
  refusals: ['suspension_settled', 'reason_mismatch', 'not_claimed', ...WRITE],
  run(call: Call, id: string, { what }: ReleaseRequest = {}): Promise<SuspensionView> {
    const releasing = { ...doingOf(call), ...(what && { what }) };
    return send(call, 'releaseSuspension', id, releaseUpdate, releasing);
  },
});

/** Adds a comment, by a caller who may answer, or the asker. */
export const commentOnSuspension = useCase({
  name: 'commentOnSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'not_eligible',
    'too_many_comments',
    'secret_refused',
    ...WRITE,
  ],
  async run(call: Call, id: string, request: CommentRequest): Promise<SuspensionView> {
    await refuseSecrets(call, request);
    const { text } = request;
    return send(call, 'commentOnSuspension', id, commentUpdate, { ...doingOf(call), text });
  },
});

/** Delegates the question to somebody else, or to a group. */
export const delegateSuspension = useCase({
  name: 'delegateSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'not_eligible',
    'already_voted',
    'delegation_not_allowed',
    'unknown_recipient',
    'claimed_by_other',
    'too_many_changes',
    'secret_refused',
    ...WRITE,
  ],
  async run(call: Call, id: string, request: DelegateRequest): Promise<SuspensionView> {
    const { config, mute, people, space } = call.parts;
    await refuseSecrets(call, request);
    const { to, to_group, reason } = request;
    const target = defined({ to, to_group });
    if (to !== undefined && mute.has(to)) {
      throw refused('not_eligible', 'No key of this principal lets it answer for somebody else.', {
        field: 'to',
        accepted: 'the principal of a person who may answer',
      });
    }
    demand(checkDelegate(config.directory, target, space));
    const known = people();
    const warnings = known ? unknownTaker(target, known) : [];
    const warned = warnings.length > 0 && { warnings };
    const delegating = { ...doingOf(call), ...target, reason, ...warned };
    return send(call, 'delegateSuspension', id, delegateUpdate, delegating);
  },
});

/** Returns the caller of such a use case, with the rules that apply. */
function doingOf({ caller, parts }: Call): Doing {
  const { separation_of_duties } = parts.config.suspension;
  return { ...sentBy(caller), ...(separation_of_duties && { separation_of_duties }) };
}

/** Sends an action on a question, and returns the question as it is then. */
async function send<Input extends Doing>(
  { parts }: Call,
  action: QuestionAction,
  suspensionId: string,
  update: UpdateDefinition<LiveView, [Input]>,
  input: Input,
): Promise<SuspensionView> {
  const { clock, consistency, temporal, diagnose } = parts;
  const whyNot = () => diagnose({ by: input.by, action }, undefined, suspensionId);
  if (!isEntityId(suspensionId)) throw await whyNot();
  const write = createLiveWrite(temporal, 'suspension', whyNot);
  try {
    const view = await write(suspensionId, update, input);
    if (view.intent_id !== null) consistency.touch(view.intent_id);
    return viewAt(view, clock.now());
  } catch (error) {
    throw refusalOf(error)?.code === 'suspension_settled' ? await whyNot() : error;
  }
}

/**
 * Corrects an open question, for its asker or an admin. It is judged by the rules of asking and by the question as it
 * is read; the workflow accepts it only for the version that it names. Throws `forbidden`, and what
 * `resolveAmendment` refuses, besides.
 */
export const amendSuspension = useCase({
  name: 'amendSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'not_amendable',
    'question_version_mismatch',
    'too_many_changes',
    'secret_refused',
    'question_too_large',
    'state_too_large',
    ...WRITE,
  ],
  async run(call: Call, suspensionId: string, request: AmendRequest): Promise<SuspensionView> {
    await refuseSecrets(call, request);
    const amending = { ...doingOf(call), ...(await amendmentOf(call, suspensionId, request)) };
    return send(call, 'amendSuspension', suspensionId, amendUpdate, amending);
  },
});

async function amendmentOf(
  { caller, parts }: Call,
  suspensionId: string,
  { question_version, reason, ...wanted }: AmendRequest,
): Promise<Omit<Amending, keyof Doing>> {
  const { value: question } = await parts.reads.getSuspension(suspensionId);
  demand(checkMay(caller, 'amendSuspension', question));
  const { record, intent_id } = question;
  const amendment = demand(resolveAmendment(record, wanted, LIMITS));
  const amended = { ...record, ...amendment };
  await demandFits(parts, intent_id, jsonBytes(amended) - jsonBytes(record));
  const findings = findingsWith(parts, amended, question);
  return { question_version, amendment, findings, ...(reason !== undefined && { reason }) };
}

/** Returns warnings about what is unusual in the amended question. */
function findingsWith(
  { config, people, telling }: Parts,
  record: SuspensionRecord,
  { asked_by, asked_as }: Pick<SuspensionView, 'asked_by' | 'asked_as'>,
): QuestionFindings {
  const known = people();
  const askers = askersOf({ asked_by, record, ...defined({ asked_as }) });
  return findingsOf(record, [
    ...denialWarnings(record.choices, record.denials),
    ...channelWarnings(record, Object.keys(config.notifications.channels)),
    ...(known ? unknownNames(record, known) : []),
    ...tellingWarnings(record, askers, telling()),
  ]);
}

/** Demands that the record of the intent's question still fits into the state. */
async function demandFits({ reads }: Parts, intentId: string | null, bytes: number): Promise<void> {
  if (intentId === null || bytes <= 0) return;
  const { value: intent } = await reads.getIntent(intentId);
  if (jsonBytes(intent.state) + bytes <= LIMITS.intentStateBytes) return;
  throw refused('state_too_large', 'The question does not fit into the state of the intent.', {
    accepted: `at most ${LIMITS.intentStateBytes} bytes of state`,
  });
}
