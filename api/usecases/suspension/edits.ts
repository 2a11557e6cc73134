import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { RespondRequest } from '../../../contracts/suspension/requests.js';
import { judgeEdits } from '../../../domain/approval/proposal/edits.js';
import type { EditsAllowed } from '../../../domain/approval/proposal/edits.js';
import { RefusalError, refusalOf } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { refused } from '../../parts/refusals.js';

/** Judges the edits of an answer; undefined if there are none, or none that the question can take. */
export type JudgedEdits = Ruling<EditsAllowed> | undefined;

/**
 * Judges the edits of an answer by the configured rules, which workflows do not know. The proposal that the answer names is judged
 * with them; everything else about the answer is left to the workflow.
 */
export async function judgedEdits(
  { config, reads }: Parts,
  { suspension_id, proposal_hash, edits = [] }: RespondRequest,
): Promise<JudgedEdits> {
  if (edits.length === 0) return undefined;
  const read = await known(reads.getSuspension(suspension_id));
  if (read === undefined) return undefined;
  const { value, stale } = read;
  const { approval } = value.record;
  if (approval !== undefined && approval.proposal_hash === proposal_hash) {
    return judgeEdits(config.approvals.rules, approval.proposal, edits);
  }
  if (!stale) return undefined;
  // The workflow may know a later version, and would take the edits for ones that the rules refuse.
  throw refused('workflow_unavailable', 'The proposal that the edits are for cannot be read now.');
}

/** An answer to a question that is not there is refused as other answers to it are. */
async function known<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (refusalOf(error)?.code === 'suspension_not_found') return undefined;
    throw error;
  }
}

/** The judgement as an answer carries it. */
export function allowedBy(judged: JudgedEdits): { readonly edits_allowed?: EditsAllowed } {
  return judged?.ok ? { edits_allowed: judged.value } : {};
}

/**
 * What to tell who sent an answer that the workflow has refused: that edits are not allowed is all that the workflow can say, and
 * the rules say why.
 */
export function reasonedRefusal(error: unknown, judged: JudgedEdits): unknown {
  if (!judged || judged.ok || refusalOf(error)?.code !== judged.refusal.code) return error;
  return new RefusalError(judged.refusal, { cause: error });
}
