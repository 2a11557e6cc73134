import type { ServerConfig } from '../../../contracts/config.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import type { OpenSuspensionRequest } from '../../../contracts/pause-requests.js';
import type { SuspendRequest } from '../../../contracts/suspension-requests.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension-view.js';
import type { SuspensionDraft } from '../../../contracts/suspension.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { configuredQuestion } from '../../../domain/suspension/configured-question.js';
import { isPauseRequest, resolvePause } from '../../../domain/suspension/pause.js';
import { openRecord } from '../../../domain/suspension/schedule.js';
import { viewAt, viewOf } from '../../../domain/suspension/view.js';
import { findRequest, findSuspension } from '../../../store/queries/suspension.js';
import { askerAttributes, openingAttributes } from '../../../workflows/engine/search-attributes.js';
import type { SuspendInput } from '../../../workflows/intent/messages.js';
import type { SuspensionInput } from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import { actorOf, sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { demandNotRemoved, logStartOf } from '../calls/once.js';
import type { CreationOf } from '../calls/once.js';
import type { Temporal } from '../calls/temporal.js';
import type { IntentRows } from '../intent/left-rows.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { requestKeyReused } from '../refusals.js';
import { createAsk } from './asking.js';
import type { AskDeps } from './asking.js';
import type { Settlements } from './inbox.js';
import type { QuestionRows } from './question-rows.js';
import type { Who } from './who.js';

/** A question as it stands; `created` is false if a request_key re-attached to an earlier one. */
export interface Opened {
  readonly created: boolean;
  readonly view: SuspensionView;
  readonly warnings: readonly string[];
}

interface SuspendDeps extends AskDeps {
  readonly config: ServerConfig;
  readonly people: Who;
  readonly reads: Reads;
  readonly fromStore: FromStore;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
  readonly intentRows: Pick<IntentRows, 'writeLeft' | 'collectDue'>;
}

/**
 * A request_key stands for what is asked. How it is asked (policies, decision, confidence) may differ
 * after a restart of the agent, which still finds its question.
 */
function requestOf(request: SuspendRequest): Pick<SuspendInput, 'request'> {
  const { request_key: key, question, response_type, choices = [] } = request;
  if (key === undefined) return {};
  // Absent and undefined are the same to JSON.
  const asked = JSON.parse(JSON.stringify({ question, response_type, choices })) as JsonObject;
  return { request: { key, body_hash: hashJson(asked) } };
}

/** The question that a request asks, or the pause, with warnings for the caller. Throws what refuses it. */
function questionOf(
  { config, people }: Pick<OpenDeps, 'config' | 'people'>,
  caller: Caller,
  request: OpenSuspensionRequest,
) {
  if (isPauseRequest(request)) return demand(resolvePause(request, LIMITS));
  const askers = [caller.principal, actorOf(caller)];
  return demand(configuredQuestion(request, config, LIMITS, caller.space, people(), askers));
}

/** Questions that hold up an intent. */
export function createSuspensions(deps: SuspendDeps) {
  const { reads, fromStore, consistency, settlements, intentRows } = deps;
  const send = createAsk(deps);

  /**
   * The question that the key opened before its intent was closed, or so long ago that the intent has forgotten it:
   * its outcome is not lost to an agent that comes back. An intent closes only when the store has all of it. Undefined
   * if the intent has forgotten others, and this one is new.
   *
   * @throws the refusal itself, if it is another or the key is not known
   */
  async function askedBefore(
    intentId: string,
    { request }: Pick<SuspendInput, 'request'>,
    refusal: unknown,
  ): Promise<SuspensionView | undefined> {
    const code = refusalOf(refusal)?.code;
    const isForgotten = code === 'request_key_forgotten';
    if (request === undefined || (code !== 'intent_closed' && !isForgotten)) throw refusal;
    const known = await fromStore(findRequest, intentId, request.key);
    if (known === undefined && isForgotten) return undefined;
    if (known === undefined) throw refusal;
    // Without a hash, what was asked has been erased.
    const { request_hash } = known;
    if (request_hash !== null && request_hash !== request.body_hash)
      throw requestKeyReused('question', 'the question');
    return (await reads.getSuspension(known.id)).value;
  }

  async function ask(intentId: string, input: SuspendInput): Promise<Omit<Opened, 'warnings'>> {
    const receipt = await send(intentId, input);
    consistency.touch(intentId);
    settlements.touch(receipt.suspension_id, 'pending');
    if (receipt.reattached) intentRows.collectDue(intentId);
    else await intentRows.writeLeft(intentId, receipt.rows);
    const view = receipt.view && asOpened(receipt.view);
    const known = view ?? (await reads.getSuspension(receipt.suspension_id)).value;
    return { created: !receipt.reattached, view: known };
  }

  return {
    /**
     * A `request_key` is remembered by the intent itself, not by an update id, so a repetition is
     * recognised and gets the suspension as it stands now, also after the intent was closed. Throws `invalid_choices`,
     * `invalid_request`, `invalid_retry_policy`, `unknown_recipient`, `request_key_reused`, or what `IntentWriter` throws.
     */
    async suspend(caller: Caller, intentId: string, request: SuspendRequest): Promise<Opened> {
      const { draft, findings } = questionOf(deps, caller, request);
      const { warnings = [] } = findings;
      const own = { ...sentBy(caller), draft, findings, ...requestOf(request) };
      const input = { ...own, sender_writes: true } as const;
      try {
        return { ...(await ask(intentId, input)), warnings };
      } catch (error) {
        const view = await askedBefore(intentId, input, error);
        if (view) return { created: false, view, warnings };
        return { ...(await ask(intentId, { ...input, is_new: true })), warnings };
      }
    },
  };
}

interface OpenDeps {
  readonly config: ServerConfig;
  readonly people: Who;
  readonly clock: Pick<Clock, 'now'>;
  readonly temporal: Pick<Temporal, 'start'>;
  readonly reads: Pick<Reads, 'getSuspension'>;
  readonly fromStore: FromStore;
  readonly settlements: Pick<Settlements, 'touch'>;
  readonly creationOf: CreationOf;
  readonly questionRows: Pick<QuestionRows, 'writeOpening'>;
}

/** Nobody waits but who asked, and the API writes the opening, and what a question leaves that it settles. */
const ALONE = {
  intent_id: null,
  subject_workflow_id: null,
  opening_journalled: true,
  settler_writes: true,
} as const satisfies Partial<SuspensionInput>;

function askerOf(caller: Caller): Pick<SuspensionInput, 'asked_by' | 'asked_as'> {
  const actor = actorOf(caller);
  const { principal } = caller;
  return { asked_by: principal, ...(actor !== principal && { asked_as: actor }) };
}

/** A request_key stands for what is asked, not for how: the same fields as for an intent's question. */
function askedIn({ question, response_type, choices }: SuspensionDraft): unknown {
  return { question, response_type, choices: choices ?? null };
}

/**
 * Questions that hold up no intent: who asked waits for the suspension itself. With a
 * `request_key` the id follows from principal and key, and the store is asked first, for it remembers longer than
 * Temporal. Throws `invalid_choices`, `invalid_request`, `invalid_retry_policy`, `request_key_reused`,
 * `removed_by_retention`, `store_unavailable` where only the store could tell whether the key is new, or
 * `workflow_unavailable`: the question may then be open all the same.
 */
export function createOpenings(deps: OpenDeps) {
  const { clock, temporal, reads, fromStore, settlements, creationOf } = deps;

  /** What the key opened before, also under the secrets that ids were made with before. */
  async function earliest(
    id: string,
    retired: readonly { readonly id: string }[],
  ): Promise<SuspensionView | undefined> {
    for (const { id: former } of retired) {
      const found = await ifThere(reads.getSuspension(former));
      if (found) return found.value;
      await demandNotRemoved(fromStore, 'suspension', former, 'request_key');
    }
    return earlier(deps, id);
  }

  return {
    async openSuspension(caller: Caller, request: OpenSuspensionRequest): Promise<Opened> {
      const { draft, findings } = questionOf(deps, caller, request);
      const { warnings = [] } = findings;
      const { request_key } = request;
      const creation = creationOf('suspension', caller, request_key, request);
      const { id, workflowId, retired } = creation;
      const known = request_key === undefined ? undefined : await earliest(id, retired);
      if (known) return reopened(known, draft, warnings);
      const opened = openRecord(draft, id, toInstant(clock.now()));
      const { record } = opened;
      const { creation_hash: _hash, ...log } = logStartOf(creation);
      const input = { ...ALONE, ...askerOf(caller), ...opened, findings, ...log };
      const view = viewOf({ intent_id: null, record, attempt: 1 }, input, []);
      const outcome = await temporal.start('suspension', {
        workflowId,
        input,
        summary: record.question,
        attributes: [...openingAttributes(view), ...askerAttributes(input)],
      });
      settlements.touch(id, 'pending');
      if (outcome === 'started') {
        await deps.questionRows.writeOpening(input);
        return { created: true, view: asOpened(view), warnings };
      }
      return reopened((await reads.getSuspension(id)).value, draft, warnings);
    },
  };
}

/** What the key opened before; undefined if the store does not have it. */
async function earlier(
  { reads, fromStore }: Pick<OpenDeps, 'reads' | 'fromStore'>,
  id: string,
): Promise<SuspensionView | undefined> {
  try {
    if ((await fromStore(findSuspension, id)) === undefined) {
      await demandNotRemoved(fromStore, 'suspension', id, 'request_key');
      return undefined;
    }
  } catch (error) {
    // Its workflow may still know it, and the read below fails where that is gone.
    if (refusalOf(error)?.code !== 'store_unavailable') throw error;
  }
  const found = await ifThere(reads.getSuspension(id));
  // If nothing is found, the store has come back meanwhile, and does not have it either.
  if (found === undefined) await demandNotRemoved(fromStore, 'suspension', id, 'request_key');
  return found?.value;
}

/** What is read, or undefined if there is no such suspension. */
async function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (refusalOf(error)?.code === 'suspension_not_found') return undefined;
    throw error;
  }
}

/** A question that was just opened, as it is read. */
function asOpened(view: LiveView): SuspensionView {
  return viewAt(view, toMillis(view.record.suspended_at));
}

/** The question that the key opened before, as long as it asks the same. */
function reopened(
  view: SuspensionView,
  draft: SuspensionDraft,
  warnings: readonly string[],
): Opened {
  const { erased_at, question_version } = view.record;
  // What was asked cannot be told any more from one that was erased, or amended since.
  const isChanged = erased_at !== undefined || question_version !== undefined;
  if (isChanged || jsonEqual(askedIn(view.record), askedIn(draft)))
    return { created: false, view, warnings };
  throw requestKeyReused('question', 'the question');
}
