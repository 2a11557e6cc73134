import PQueue from 'p-queue';
import { ERRORS } from '../../../contracts/constants/errors.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { BulkAnswerRequest, RespondRequest } from '../../../contracts/suspension/requests.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { verdictOf } from '../../../domain/suspension/answering/answer.js';
import { checkSameShape } from '../../../domain/suspension/form/shape.js';
import { recordsOf } from '../../../store/queries/inbox.js';
import { demand, refusalOf } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { ifThere } from '../../parts/reads/from-store.js';
import { isEntityId } from '../../../contracts/constants/names.js';
import { START, useCase, type Call } from '../usecase.js';
import { respond } from './respond.js';

/** How many questions are read or answered at once, so that other writes of the process get their turn too. */
const AT_ONCE = 16;

export type BulkOutcome = { readonly suspension_id: string } & (
  | { readonly outcome: 'settled' | 'counted'; readonly result: RespondResult }
  /** No worker took it in time; it is kept, and judged by the time of its arrival. */
  | { readonly outcome: 'handed_over' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
);

/** Does work for each of many things, a few at a time; the results are in their order. */
function forEach<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return queue.addAll(all.map((one) => () => work(one)));
}

/**
 * Answers many questions of the same form with one value; a refusal does not stop the others. With an Idempotency-Key
 * each answer gets a key made of that and the question, so that a repeat gets the same results.
 */
export const respondToMany = useCase({
  name: 'respondToMany',
  resource: 'suspension',
  refusals: ['mixed_shapes', ...START],
  async run(
    call: Call,
    request: BulkAnswerRequest,
    idempotencyKey?: string,
  ): Promise<readonly BulkOutcome[]> {
    const { answers: all, ...answer } = request;
    demand(checkSameShape(await recordsIn(call.parts, all)));
    return forEach(all, (one) => outcomeOf(call, { ...answer, ...one }, idempotencyKey));
  },
});

async function outcomeOf(call: Call, answer: RespondRequest, key?: string): Promise<BulkOutcome> {
  const { suspension_id } = answer;
  try {
    const given = await respond.run(call, undefined, answer, key);
    if (!given.accepted) return { suspension_id, outcome: 'handed_over' };
    const { result } = given;
    return { suspension_id, outcome: verdictOf(result), result };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return { suspension_id, outcome: 'refused', refusal };
    call.parts.log.warn({ error: String(error) }, 'one of several answers failed');
    const internal = { code: 'internal', detail: ERRORS.internal[2] } as const;
    return { suspension_id, outcome: 'refused', refusal: internal };
  }
}

async function recordsIn(parts: Parts, answers: BulkAnswerRequest['answers']) {
  const ids = answers.map(({ suspension_id }) => suspension_id).filter(isEntityId);
  const stored = ids.length === 0 ? undefined : await ifThere(parts.fromStore(recordsOf, ids));
  return forEach(
    answers,
    async ({ suspension_id: id }) => stored?.get(id) ?? (await liveRecord(parts, id)),
  );
}

/** Returns a question as it was asked; undefined if it is unknown, or cannot be read now. */
async function liveRecord({ reads }: Parts, id: string): Promise<SuspensionRecord | undefined> {
  if (!isEntityId(id)) return undefined;
  try {
    return (await reads.getSuspension(id)).value.record;
  } catch (error) {
    if (refusalOf(error) === undefined) throw error;
    return undefined;
  }
}
