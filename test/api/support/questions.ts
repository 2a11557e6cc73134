import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { RefusalError, refusalOf } from '../../../api/errors.js';
import type { Parts } from '../../../api/parts/index.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { Read } from '../../../api/parts/caller.js';
import { WRITE_MS } from '../../../api/parts/calls/deadline.js';
import type { BulkOutcome } from '../../../api/usecases/suspension/respond-to-many.js';
import type { RespondOutcome } from '../../../api/usecases/suspension/respond.js';
import { WORKFLOW_TYPES, entityIdOf } from '../../../contracts/constants/names.js';
import type { Caller as Proven } from '../../../contracts/people/caller.js';
import type { RespondRequest } from '../../../contracts/suspension/requests.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { inboxEntrySchema, type SuspensionView } from '../../../contracts/suspension/view.js';
import { sha256Hex } from '../../../domain/kernel/hashing.js';
import type { Part } from '../../../store/queries/bounded.js';
import type { InboxRow } from '../../../store/queries/inbox.js';
import { verdictOf } from '../../../domain/suspension/answering/answer.js';
import { notesIn } from '../../../domain/suspension/answering/response.js';
import type {
  CancelInput,
  OperatorAnswer,
  SuspensionInput,
} from '../../../workflows/suspension/messages.js';
import {
  closed,
  hanging,
  updateRefused,
  type FakeCall,
  type FakeQueries,
  type Handler,
  type ManualClock,
} from './fakes.js';
import type { Answers } from './parts.js';

/** What is done to a question without answering it, by the names of the messages. */
const VERBS = {
  changeEligibility: 'changeEligibility',
  claim: 'claimSuspension',
  release: 'releaseSuspension',
  comment: 'commentOnSuspension',
  delegate: 'delegateSuspension',
  amend: 'amendSuspension',
} as const;
type Verb = (typeof VERBS)[keyof typeof VERBS];

/** What the questions of a rig do when something reaches them. */
export interface Questions extends Readonly<Partial<Record<Verb, () => Promise<SuspensionView>>>> {
  /** What the store lists of them. */
  readonly listSuspensions?: NonNullable<FakeQueries['listSuspensions']>;
  /** What becomes of the start of a question's workflow, which succeeds unless this throws. */
  readonly started?: Handler;
  /** What an intent replies that is asked a question. */
  readonly suspend?: Handler;
  /** What whoever waits for the outcome of a question gets. */
  readonly outcome?: Handler;
  readonly getSuspension?: (id: string) => Promise<Read<SuspensionView>>;
  readonly respond?: (
    caller: Proven,
    intentId: string | undefined,
    request: RespondRequest,
  ) => Promise<RespondOutcome>;
  readonly cancel?: (
    caller: Proven,
    intentId: string | undefined,
    request: { readonly suspension_id: string; readonly reason?: string },
  ) => Promise<SettledRecord>;
}

/** An answer as it reached its question. */
export interface SentAnswer {
  readonly caller: Proven;
  readonly intentId: string | undefined;
  /** As it was sent; the key of the request is in the id of the Update. */
  readonly request: RespondRequest & { readonly resume_signal?: string };
  readonly updateId: string | undefined;
}

/** The answers that questions got. */
export function answersSent({ sent }: { readonly sent: readonly FakeCall[] }): SentAnswer[] {
  return sent.filter(({ name }) => name === 'respond').map(sentAnswer);
}

/** What questions do that give these outcomes; the last is that of all others. */
export function outcomesOf(outcomes: readonly BulkOutcome[]): NonNullable<Questions['respond']> {
  return async (_caller, _intent, { suspension_id }) => {
    const own = outcomes.find((outcome) => outcome.suspension_id === suspension_id);
    const one = own ?? outcomes.at(-1);
    if (one === undefined) throw new Error(`no outcome of ${suspension_id}`);
    if (one.outcome === 'refused') throw new RefusalError(one.refusal);
    if (one.outcome === 'handed_over') return { accepted: false, suspension_id };
    const { resolution, ...vote } = one.result;
    const isOver = one.outcome === 'settled' && resolution !== undefined;
    return { accepted: true, result: isOver ? { ...vote, resolution } : vote };
  };
}

/** The id of the Update that carries an answer under an `Idempotency-Key`. */
export function updateIdFor(principal: string, key: string, suspensionId: string): string {
  return `r:${sha256Hex([principal, key, suspensionId].join('\0'))}`;
}

function sentAnswer({ workflowId, args, updateId }: FakeCall): SentAnswer {
  const sent = args[0] as OperatorAnswer;
  const { by, intent_id, value, responded_by, resume_signal, metadata } = sent;
  const { question_version, proposal_hash, edits, despite_claim } = sent;
  const request = {
    suspension_id: entityIdOf(workflowId, 'suspension'),
    value,
    ...(responded_by !== by.principal && { responded_by }),
    ...(resume_signal !== undefined && { resume_signal }),
    ...(question_version !== undefined && { question_version }),
    ...(proposal_hash !== undefined && { proposal_hash }),
    ...(edits && { edits }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(sent),
    ...(metadata && { metadata }),
  };
  return { caller: by, intentId: intent_id ?? undefined, request: request as never, updateId };
}

/** The codes that an answer is refused with by a diagnosis, whatever its question says. */
const DIAGNOSED: readonly ErrorCode[] = ['suspension_settled', 'suspension_mismatch', 'moving'];

/** What a question was last said to refuse with, where a diagnosis says that. */
export interface Told {
  refusal?: Refusal;
}

/** Parts that diagnose so. */
export function diagnosing(parts: Parts, told: Told): Parts {
  const { diagnose } = parts;
  return {
    ...parts,
    diagnose: async (...given) =>
      told.refusal === undefined ? diagnose(...given) : new RefusalError(told.refusal),
  };
}

/** Questions to which everything may be done, and what comes of it. */
export function doneTo(shown: () => Promise<SuspensionView>): Answers {
  return Object.fromEntries(Object.keys(VERBS).map((name) => [name, shown]));
}

/** What an intent replies that has opened a question: as it stands, and the row of it. */
export const askedAs = (view: SuspensionView) => ({
  suspension_id: view.id,
  reattached: false,
  view,
  rows: [{ kind: 'memory of a row' }],
});

/** Refuses the start of a question whose workflow is there before. */
export function alreadyStarted({ workflowId }: FakeCall): never {
  throw new WorkflowExecutionAlreadyStartedError('started before', workflowId, 'suspension');
}

/** The question whose workflow was started first. */
export function openedIn({ sent }: { readonly sent: readonly FakeCall[] }): SuspensionInput {
  const start = sent.find(({ name }) => name === WORKFLOW_TYPES.suspension);
  const [options] = start?.args ?? [];
  const [input] = (options as { readonly args: readonly SuspensionInput[] }).args;
  if (input === undefined) throw new Error('no question was opened');
  return input;
}

/** What a question replies to those who wait for it when it ends so. */
export const endedAs = (view: SuspensionView) => ({ moved: false, view });

/** A page of the inbox with these questions; `more` says whether there is another. */
export async function inboxPage(
  views: readonly SuspensionView[],
  more = false,
): Promise<Part<InboxRow>> {
  const rows = views.map((view) => ({
    entry: inboxEntrySchema.parse(view),
    key: ['infinity', -view.attempt, view.record.suspended_at, view.id],
  }));
  return { rows, more };
}

/** What reached a question. */
export interface Noted {
  readonly method: Verb | 'cancel' | 'respond';
  readonly args: readonly unknown[];
}

/** What somebody does to a question, as it gets it. */
interface Done {
  readonly by: Proven;
  readonly actor?: string;
  readonly separation_of_duties?: boolean;
  readonly findings?: object;
  readonly amendment?: object;
}

/** Answers that are noted as they reach their questions. */
export function notingIn(calls: Pick<Noted[], 'push'>, answers: Answers): Answers {
  const { respond, cancel } = answers;
  const noted = Object.entries(VERBS).map(([name, method]) => {
    const note: Handler = (call) => {
      const { by, actor, separation_of_duties: _duties, ...sent } = call.args[0] as Done;
      const { amendment, findings: _findings, ...request } = sent;
      const caller = actor === undefined ? by : { ...by, actor };
      const id = entityIdOf(call.workflowId, 'suspension');
      calls.push({ method, args: [caller, id, { ...request, ...amendment }] });
      return answers[name]?.(call);
    };
    return [name, note] as const;
  });
  return {
    ...answers,
    ...Object.fromEntries(noted),
    respond: (call) => {
      const { caller, intentId, request, updateId } = sentAnswer(call);
      calls.push({ method: 'respond', args: [caller, intentId, request, updateId] });
      return respond?.(call);
    },
    cancel: (call) => {
      const { by, intent_id, reason } = call.args[0] as CancelInput;
      const suspension_id = entityIdOf(call.workflowId, 'suspension');
      const request = { suspension_id, ...(reason !== undefined && { reason }) };
      calls.push({ method: 'cancel', args: [by, intent_id ?? undefined, request] });
      return cancel?.(call);
    },
  };
}

/** What the workflows of such questions answer; `clock` moves on where nobody takes an answer. */
export function answersOf(questions: Questions, clock: ManualClock, told: Told = {}): Answers {
  const { getSuspension, outcome, respond, cancel, suspend } = questions;
  const asQuestion = (error: unknown): never => {
    const refusal = refusalOf(error);
    if (refusal === undefined || !DIAGNOSED.includes(refusal.code)) return asWorkflow(error);
    told.refusal = refusal;
    throw updateRefused({ code: 'suspension_settled', detail: 'Settled.' });
  };
  const verbs = Object.entries(VERBS).flatMap(([name, method]) => {
    const done = questions[method];
    return done ? [[name, () => done().catch(asQuestion)] as const] : [];
  });
  return {
    operatorResponse: () => undefined,
    ...Object.fromEntries(verbs),
    ...(suspend && { suspend }),
    ...(outcome && { outcome }),
    ...(getSuspension && {
      record: async ({ workflowId }) => {
        const id = entityIdOf(workflowId, 'suspension');
        return (await getSuspension(id).catch(asWorkflow)).value;
      },
    }),
    ...(respond && {
      respond: async (call) => {
        const { caller, intentId, request } = sentAnswer(call);
        const outcome = await respond(caller, intentId, request).catch(asQuestion);
        if (!outcome.accepted) {
          void clock.advance(WRITE_MS);
          return hanging(call);
        }
        const { result } = outcome;
        const { body_hash } = (call.args[0] as OperatorAnswer).answer;
        return { verdict: verdictOf(result), result, body_hash };
      },
    }),
    ...(cancel && {
      cancel: async ({ workflowId, args }) => {
        const { by, intent_id, reason } = args[0] as CancelInput;
        const suspension_id = entityIdOf(workflowId, 'suspension');
        const request = { suspension_id, ...(reason !== undefined && { reason }) };
        const record = await cancel(by, intent_id ?? undefined, request).catch(asQuestion);
        return { record, intent_id: intent_id ?? null };
      },
    }),
  };
}

/** Refuses as a workflow does. */
function asWorkflow(error: unknown): never {
  const refusal = refusalOf(error);
  if (refusal === undefined) throw error;
  if (refusal.code === 'suspension_not_found') return closed();
  throw updateRefused(refusal);
}
