import PQueue from 'p-queue';
import { ERRORS } from '../../../contracts/constants/errors.js';
import type { Refusal } from '../../../contracts/problem.js';
import type { BulkAnswerRequest } from '../../../contracts/suspension-requests.js';
import type { RespondResult } from '../../../contracts/suspension-view.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { verdictOf } from '../../../domain/suspension/answer.js';
import { checkSameShape } from '../../../domain/suspension/shape.js';
import { recordsOf } from '../../../store/queries/inbox.js';
import { demand, refusalOf } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Reads } from '../intent/reads.js';
import { ifThere } from '../reads/from-store.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { isEntityId } from '../refusals.js';
import type { createAnswers } from './answers.js';

/** So many questions are read or answered at once; other writes of the process want their turn too. */
const AT_ONCE = 16;

/** What became of an answer to one of several questions. */
export type BulkOutcome = { readonly suspension_id: string } & (
  | { readonly outcome: 'settled' | 'counted'; readonly result: RespondResult }
  /** No worker took it in time; it is kept, and judged by when it came in. */
  | { readonly outcome: 'handed_over' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
);

interface Deps {
  readonly answers: Pick<ReturnType<typeof createAnswers>, 'respond'>;
  readonly reads: Pick<Reads, 'getSuspension'>;
  readonly fromStore: FromStore;
  readonly log: GatewayLog;
}

/** Does something with each of many things, a few at a time; the results are in their order. */
function forEach<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return queue.addAll(all.map((one) => () => work(one)));
}

/** One answer to many questions: each is answered as it would be alone. */
export function createBulkAnswers({ answers, reads, fromStore, log }: Deps) {
  /** A question as it was asked; undefined for one that nobody knows, or that cannot be read now. */
  async function liveRecord(id: string): Promise<SuspensionRecord | undefined> {
    if (!isEntityId(id)) return undefined;
    try {
      return (await reads.getSuspension(id)).value.record;
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return undefined;
    }
  }

  async function recordsIn({ answers: all }: BulkAnswerRequest) {
    const ids = all.map(({ suspension_id }) => suspension_id).filter(isEntityId);
    const stored = ids.length === 0 ? undefined : await ifThere(fromStore(recordsOf, ids));
    return forEach(all, async ({ suspension_id: id }) => stored?.get(id) ?? (await liveRecord(id)));
  }

  return {
    /**
     * Answers all of the questions with one value, if all of them take the same answers. One that is refused does not stop
     * the others. With an Idempotency-Key each answer has a key of its own, made of that and the question, so that the same
     * request sent again gets the same results. Throws `mixed_shapes`: then nothing was answered.
     */
    async respondToMany(
      caller: Caller,
      request: BulkAnswerRequest,
      idempotencyKey?: string,
    ): Promise<readonly BulkOutcome[]> {
      demand(checkSameShape(await recordsIn(request)));
      const { answers: all, ...answer } = request;
      return forEach(all, async (one): Promise<BulkOutcome> => {
        const { suspension_id } = one;
        try {
          const own = { ...answer, ...one };
          const given = await answers.respond(caller, undefined, own, idempotencyKey);
          if (!given.accepted) return { suspension_id, outcome: 'handed_over' };
          const { result } = given;
          return { suspension_id, outcome: verdictOf(result), result };
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal) return { suspension_id, outcome: 'refused', refusal };
          log.warn({ error: String(error) }, 'one of several answers failed');
          const internal = { code: 'internal', detail: ERRORS.internal[2] } as const;
          return { suspension_id, outcome: 'refused', refusal: internal };
        }
      });
    },
  };
}
