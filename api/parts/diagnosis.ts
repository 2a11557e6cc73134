import type { Caller } from '../../contracts/people/caller.js';
import { ENDINGS } from '../../contracts/constants/statuses.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { Action } from '../../domain/policy/rules.js';
import { checkMay, type QuestionAction } from '../../domain/suspension/people/rights.js';
import { demand, refusalOf, type RefusalError } from '../errors.js';
import type { Reads } from './reads/reads.js';
import { refused } from './refusals.js';

/** Returns the id of the question that an intent waits for, if it waits. */
export function activeSuspensionId({ status, state }: Intent): string | undefined {
  if (status !== 'suspended_awaiting_input') return undefined;
  const suspension = (state['_suspension'] ?? {}) as JsonObject;
  if (suspension['resolution'] !== undefined && suspension['resolution'] !== null) return undefined;
  return typeof suspension['id'] === 'string' ? suspension['id'] : undefined;
}

/** Returns how a settled question ended, so that a caller can tell its own answer from another's. */
function ending(record: SuspensionRecord | undefined): JsonObject {
  if (record?.resolution === undefined) return {};
  const { resolution, settled_at, responded_by, responded_at, response } = record;
  return {
    resolution,
    ...(settled_at !== undefined && { settled_at }),
    ...(responded_by !== undefined && { responded_by }),
    ...(responded_at !== undefined && { responded_at }),
    ...(response !== undefined && { value: response }),
  };
}

/** Returns why a settled suspension takes nothing more; undefined for one that is open. */
function alreadySettled(
  record: SuspensionRecord | undefined,
  state: JsonObject,
): RefusalError | undefined {
  if (record?.resolution === undefined) return undefined;
  return refused('suspension_settled', `The question ${ENDINGS[record.resolution]}.`, { state });
}

function unreachable(): RefusalError {
  return refused('moving', 'The suspension could not be reached for a moment.');
}

/** Judges an intent that was read by its access list. Throws `forbidden`. */
export type JudgeAccess = (by: Caller, action: Action, intent: Intent) => Promise<void>;

export interface Attempt {
  readonly by: Caller;
  readonly action: QuestionAction;
}

/**
 * Returns why a suspension cannot be answered or cancelled, alike for one that refused and one that is closed. The
 * state never has the id of the open question. Callers without the right get only `forbidden`.
 */
export type Diagnose = (
  attempt: Attempt,
  intentId: string | undefined,
  suspensionId: string,
) => Promise<RefusalError>;

/**
 * Throws what the reads throw: `intent_not_found` first of all (R25-80), or a 503; and `forbidden` for a caller who
 * may not do this to the question, or may not read the intent that has no such question.
 */
export function createDiagnose(
  reads: Pick<Reads, 'getIntent' | 'getSuspension'>,
  judgeAccess: JudgeAccess,
): Diagnose {
  async function questionOf(intentId: string, id: string): Promise<SuspensionView | undefined> {
    try {
      const { value } = await reads.getSuspension(id);
      return value.intent_id === intentId ? value : undefined;
    } catch (error) {
      if (refusalOf(error)?.code === 'suspension_not_found') return undefined;
      throw error;
    }
  }

  return async ({ by, action }, intentId, suspensionId) => {
    if (intentId === undefined) {
      const { value: question } = await reads.getSuspension(suspensionId);
      demand(checkMay(by, action, question));
      const { record } = question;
      return alreadySettled(record, ending(record)) ?? unreachable();
    }
    const { value: intent } = await reads.getIntent(intentId);
    const question = await questionOf(intentId, suspensionId);
    if (question) demand(checkMay(by, action, question));
    else await judgeAccess(by, 'getIntent', intent);
    const record = question?.record;
    const active = activeSuspensionId(intent);
    const state = { intent_status: intent.status, ...ending(record) };
    if (intent.status !== 'suspended_awaiting_input') {
      return refused('intent_not_suspended', 'The intent has no open question.', { state });
    }
    if (active === undefined) {
      const detail = 'Intent is suspended, but its question is not written yet';
      return refused('question_not_written', detail, { state });
    }
    if (active !== suspensionId) {
      const detail = 'The suspension is not the open question of this intent.';
      return refused('suspension_mismatch', detail, { state });
    }
    return alreadySettled(record, state) ?? unreachable();
  };
}
