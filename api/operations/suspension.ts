import type { EngagementSignals } from '../../contracts/engagement.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { OpenSuspensionRequest } from '../../contracts/pause-requests.js';
import type { AmendRequest, SuspendRequest } from '../../contracts/suspension-requests.js';
import { secretRefusal } from '../../runtime/secrets.js';
import { checkReadsOthers, isConcerned } from '../../domain/suspension/rights.js';
import { RefusalError, demand } from '../errors.js';
import type { CommentRequest, DelegateRequest } from '../../contracts/suspension-verbs.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { Read } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import { READ, START, WRITE, asCaller, operations, read, storeRead } from './operation.js';
import { readable, readerFor } from './visibility.js';
import type { Call } from './operation.js';
import { interrupted } from './waits.js';

/**
 * Refuses a question that holds what looks like a credential.
 *
 * @throws RefusalError `secret_refused`
 */
export async function refuseSecrets({ config }: Call, question: object): Promise<void> {
  const refusal = await secretRefusal(question, config.suspension);
  if (refusal !== undefined) throw new RefusalError(refusal);
}

/** Refuses a `context` over 64 KiB, counted as UTF-8 JSON. */
function refuseLargeContext(context: JsonObject | undefined): void {
  if (context === undefined) return;
  if (Buffer.byteLength(JSON.stringify(context)) <= LIMITS.contextBytes) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'context is too large.',
    field: 'context',
    accepted: `at most ${LIMITS.contextBytes} bytes of JSON`,
  });
}

/** A question, for whoever asked it, may settle it, or may read its intent. */
async function asked(
  call: Call,
  action: 'getSuspension' | 'getBlocks' | 'waitForSuspension' | 'verifyTimeline' | 'exportTimeline',
  reading: Promise<Read<SuspensionView>>,
): Promise<Read<SuspensionView>> {
  const read = await reading;
  if (isConcerned(call.caller, read.value)) return read;
  if (read.value.intent_id === null) demand(checkReadsOthers(readerFor(call)));
  return readable(call, action, Promise.resolve(read));
}

/** What an answer may be refused with, whoever brings it. */
export const ANSWER_REFUSALS = [
  'responded_by_mismatch',
  'not_eligible',
  'suspension_settled',
  'reason_mismatch',
  'already_voted',
  'claimed_by_other',
  'question_version_mismatch',
  'missing_proposal_hash',
  'proposal_hash_mismatch',
  'invalid_edit',
  'edit_not_allowed',
  'invalid_value',
  'answer_too_large',
  'idempotency_key_reused',
  ...WRITE,
] as const;

/** Questions: asked, answered, withdrawn, read and waited for. */
export const SUSPENSIONS = operations({
  /** The intent waits for the answer. */
  suspend: {
    resource: 'intent',
    refusals: [
      'intent_not_active',
      'intent_suspended',
      'intent_closed',
      'secret_refused',
      'unknown_recipient',
      'unknown_principal',
      'request_key_reused',
      'question_too_large',
      'state_too_large',
      ...WRITE,
    ],
    async run(call, intentId: string, request: SuspendRequest) {
      await refuseSecrets(call, request);
      return call.gateway.suspend(call.caller, intentId, request);
    },
  },
  /** Only the agent that asked waits for the answer. */
  openSuspension: {
    resource: 'suspension',
    refusals: [
      'request_key_reused',
      'removed_by_retention',
      'secret_refused',
      'unknown_recipient',
      'unknown_principal',
      'question_too_large',
      ...START,
    ],
    async run(call, request: OpenSuspensionRequest) {
      await refuseSecrets(call, request);
      return call.gateway.openSuspension(call.caller, request);
    },
  },
  /** By whoever asked the question, or an admin. */
  cancelSuspension: {
    resource: 'suspension',
    refusals: ['suspension_settled', ...WRITE],
    run: asCaller('cancel'),
  },
  respond: {
    resource: 'suspension',
    refusals: ANSWER_REFUSALS,
    run: asCaller('respond'),
  },
  /** One answer to many questions, each of which may refuse it. */
  respondToMany: {
    resource: 'suspension',
    refusals: ['mixed_shapes', ...START],
    run: asCaller('respondToMany'),
  },
  /** Whatever the reason: a pause by its signal, a question by an answer. */
  resumeSuspension: {
    resource: 'suspension',
    refusals: ['resume_signal_mismatch', ...ANSWER_REFUSALS],
    run: asCaller('resume'),
  },
  /** Who may answer from now on. */
  changeEligibility: {
    resource: 'suspension',
    refusals: [
      'suspension_settled',
      'reason_mismatch',
      'invalid_decision_rule',
      'unknown_principal',
      ...WRITE,
    ],
    run: asCaller('changeEligibility'),
  },
  /** Says that the caller looks after the question. */
  claimSuspension: {
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
    run: asCaller('claimSuspension'),
  },
  /** By whoever has claimed the question or passed it on, or an admin. */
  releaseSuspension: {
    resource: 'suspension',
    refusals: ['suspension_settled', 'reason_mismatch', 'not_claimed', ...WRITE],
    run: asCaller('releaseSuspension'),
  },
  /** By whoever may answer, or who asked. */
  commentOnSuspension: {
    resource: 'suspension',
    refusals: [
      'suspension_settled',
      'reason_mismatch',
      'not_eligible',
      'too_many_comments',
      'secret_refused',
      ...WRITE,
    ],
    async run(call, suspensionId: string, request: CommentRequest) {
      await refuseSecrets(call, request);
      return call.gateway.commentOnSuspension(call.caller, suspensionId, request);
    },
  },
  /** By who asked, or an admin. */
  amendSuspension: {
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
    async run(call, suspensionId: string, request: AmendRequest) {
      await refuseSecrets(call, request);
      return call.gateway.amendSuspension(call.caller, suspensionId, request);
    },
  },
  /** Somebody else is to answer. */
  delegateSuspension: {
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
    async run(call, suspensionId: string, request: DelegateRequest) {
      await refuseSecrets(call, request);
      return call.gateway.delegateSuspension(call.caller, suspensionId, request);
    },
  },
  getSuspension: read('suspension', (call, suspensionId: string) =>
    asked(call, 'getSuspension', call.gateway.getSuspension(suspensionId)),
  ),
  verifyTimeline: read('suspension', async (call, suspensionId: string) => {
    await asked(call, 'verifyTimeline', call.gateway.getSuspension(suspensionId));
    return call.gateway.verifyTimeline(suspensionId);
  }),
  exportTimeline: read('suspension', async (call, suspensionId: string) => {
    await asked(call, 'exportTimeline', call.gateway.getSuspension(suspensionId));
    return call.gateway.exportTimeline(suspensionId);
  }),
  /** What waits for its answer. */
  getBlocks: read('suspension', async (call, suspensionId: string) => {
    await asked(call, 'getBlocks', call.gateway.getSuspension(suspensionId));
    return call.gateway.listBlocked(suspensionId, readerFor(call));
  }),
  /** Waits until the question is settled or has passed an attempt, or until the time is over. */
  waitForSuspension: {
    resource: 'suspension',
    refusals: ['too_many_long_polls', ...READ],
    async run(
      call,
      suspensionId: string,
      options: Parameters<Gateway['waitForSuspension']>[1],
    ): Promise<Read<SuspensionView>> {
      const { gateway } = call;
      // A refusal that comes at the end would tell whoever may not read the question when that ended.
      if (readerFor(call)?.own) {
        await asked(call, 'waitForSuspension', gateway.getSuspension(suspensionId));
      }
      const waiting = gateway.waitForSuspension(suspensionId, options);
      return asked(call, 'waitForSuspension', waiting).catch((error: unknown) => {
        throw options.signal.aborted ? interrupted(error) : error;
      });
    },
  },
  listSuspensions: storeRead('suspension', asCaller('listSuspensions')),
  countSuspensions: storeRead('suspension', asCaller('countSuspensions')),
  /** Should the agent ask? The decision is recorded. */
  engage: {
    resource: 'intent',
    refusals: ['intent_closed', ...WRITE],
    async run({ gateway, caller }, intentId: string, signals: EngagementSignals) {
      refuseLargeContext(signals.context);
      return gateway.engage(caller, intentId, signals);
    },
  },
});
