import type { BulkAnswers, SuspensionView } from '../../client/index.js';
import { ConnectionError, HoldpointError } from '../../client/errors.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { checkSameShape } from '../../domain/suspension/shape.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failures.js';
import type { Api } from '../session.js';

/** What became of one answer. */
export type Result = BulkAnswers['results'][number];

/** The same for all questions. */
export type SharedAnswer = Omit<Parameters<Api['operator']['answerAll']>[0], 'answers'>;

/** Why not all were sent, and what became of the rest. */
export interface Break {
  readonly error: unknown;
  /** Sent, but no reply came: they may be answered. */
  readonly unknown: readonly SuspensionView[];
  readonly notAnswered: readonly SuspensionView[];
}

/**
 * Gives one answer to questions, however many, in the order of the list. Stops at the first request that fails, and says what
 * became of the questions in it and after it. The service compares those of one request; those of several are compared here.
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

/** Names what was seen, so that nothing else is answered. */
function answerTo({ id, question_version, record: { approval } }: SuspensionView) {
  return {
    suspension_id: id,
    question_version,
    ...(approval && { proposal_hash: approval.proposal_hash }),
  };
}

function demandSameShape(views: readonly SuspensionView[]): void {
  const ruling = checkSameShape(views.map(({ record }) => record));
  if (ruling.ok) return;
  const { code, detail } = ruling.refusal;
  throw new CliError(EXIT.refused, `${detail} Nothing was sent. (${code})`);
}

/** Whether the service itself has refused a whole request, of which it has then answered nothing. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof HoldpointError) || error instanceof ConnectionError) return false;
  const { status = 500, code } = error;
  return status < 500 && !code.startsWith('http_');
}
