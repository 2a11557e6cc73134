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
import { unknownTaker } from '../../../domain/directory/known-people.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import type { QuestionAction } from '../../../domain/suspension/people/rights.js';
import type { Doing } from '../../../domain/suspension/people/verb.js';
import {
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  releaseUpdate,
} from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { isEntityId, refused } from '../../parts/refusals.js';
import { refuseSecrets } from '../secrets.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/*
 * People act on an open question without answering it. Each use case returns the question as it stands, and throws
 * `suspension_not_found` and `forbidden` besides. After `workflow_unavailable` it may still happen later. Doing it once more
 * changes nothing; only a release is then refused, for there is no claim any more.
 */

/** Says that the caller looks after the question. */
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

/** By whoever has claimed the question or passed it on, or an admin. */
export const releaseSuspension = useCase({
  name: 'releaseSuspension',
  resource: 'suspension',
  refusals: ['suspension_settled', 'reason_mismatch', 'not_claimed', ...WRITE],
  run(call: Call, id: string, { what }: ReleaseRequest = {}): Promise<SuspensionView> {
    const releasing = { ...doingOf(call), ...(what && { what }) };
    return send(call, 'releaseSuspension', id, releaseUpdate, releasing);
  },
});

/** By whoever may answer, or who asked. */
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

/** Somebody else is to answer, or somebody of a group. */
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

/** The caller of such a use case, and the rules that hold. */
export function doingOf({ caller, parts }: Call): Doing {
  const { separation_of_duties } = parts.config.suspension;
  return { ...sentBy(caller), ...(separation_of_duties && { separation_of_duties }) };
}

/** Sends what is done to a question, and returns that as it stands then. */
export async function send<Input extends Doing>(
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
