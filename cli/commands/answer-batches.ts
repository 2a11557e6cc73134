import type { BulkAnswers, SuspensionView } from '../../client/index.js';
import { ConnectionError, HoldpointError } from '../../client/errors.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { checkSameShape } from '../../domain/suspension/form/shape.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failures.js';
import type { Api } from '../session.js';

/** The result of one answer. */
export type Result = BulkAnswers['results'][number];

/** The answer to all questions. */
type SharedAnswer = Omit<Parameters<Api['operator']['answerAll']>[0], 'answers'>;

/** Why not all answers were sent, and the state of the rest. */
export interface Break {
  readonly error: unknown;
  /** Sent without a reply: they may be answered. */
  readonly unknown: readonly SuspensionView[];
  readonly notAnswered: readonly SuspensionView[];
}

/**
 * Gives one answer to any number of questions, in order. Stops at the first failed request, and returns the state of the
 * remaining questions. The service compares the questions of one request; this function compares those of several.
 *
 * @throws CliError `mixed_shapes` if they do not take the same answers; then nothing was sent
 */
export async function answerInBatches(
  { operator, interrupted }: Api,
  views: readonly SuspensionView[],
  answer: SharedAnswer,
): Promise<{ readonly results: readonly Result[]; readonly broken?: Break }> {
  if (views.length > LIMITS.bulkAnswers) demandSameShape(views);
  interrupted.throwIfAborted();
  const results: Result[] = [];
  for (let at = 0; at < views.length; at += LIMITS.bulkAnswers) {
    if (interrupted.aborted) {
      const error: unknown = interrupted.reason;
      return { results, broken: { error, unknown: [], notAnswered: views.slice(at) } };
    }
    const batch = views.slice(at, at + LIMITS.bulkAnswers);
    try {
      results.push(...(await operator.answerAll({ ...answer, answers: batch.map(answerTo) })));
    } catch (error) {
      const rest = views.slice(at + LIMITS.bulkAnswers);
      const broken = isRefused(error)
        ? { error, unknown: [], notAnswered: [...batch, ...rest] }
        : { error, unknown: batch, notAnswered: rest };
      return { results, broken };
    }
  }
  return { results };
}

/** Names the version that was seen, so that no other is answered. */
function answerTo({ id, question_version, record: { approval } }: SuspensionView) {
  return {
    suspension_id: id,
    question_version,
    ...defined({ proposal_hash: approval?.proposal_hash }),
  };
}

function demandSameShape(views: readonly SuspensionView[]): void {
  const ruling = checkSameShape(views.map(({ record }) => record));
  if (ruling.ok) return;
  const { code, detail } = ruling.refusal;
  throw new CliError(EXIT.refused, `${detail} Nothing was sent. (${code})`);
}

/** Whether the service refused the whole request, and so answered nothing of it. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof HoldpointError) || error instanceof ConnectionError) return false;
  const { status = 500, code } = error;
  return status < 500 && !code.startsWith('http_');
}
