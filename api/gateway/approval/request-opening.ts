import type { ServerConfig } from '../../../contracts/config.js';
import type {
  AgentCheckpoint,
  AgentStates,
  OpenApprovalRequest,
} from '../../../contracts/approval-requests.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { planWithPeople, warningsIn } from '../../../domain/approval/approver-people.js';
import { checkActsFor } from '../../../domain/approval/initiator.js';
import type { NamedUsers } from '../../../domain/approval/initiator.js';
import type { AskedApproval } from '../../../domain/approval/meant-question.js';
import { openingOf } from '../../../domain/approval/opening.js';
import { checkOpen } from '../../../domain/intent/entity.js';
import { checkFieldSizes } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import type { AskedAction } from '../../../domain/openintent/action-approval.js';
import type { ApprovalInput } from '../../../workflows/approval/messages.js';
import { openedUpdate } from '../../../workflows/approval/messages.js';
import type { RedeemTerms } from '../../../workflows/approval/messages.js';
import { approvalAttributes } from '../../../workflows/engine/search-attributes.js';
import { demand, refusalOf } from '../../errors.js';
import { actorOf, proven } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { demandNotRemoved, logStartOf } from '../calls/once.js';
import type { Creation, CreationOf } from '../calls/once.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import type { FromStore } from '../reads/from-store.js';
import { referenced, refused, requestKeyReused, writeUnavailable } from '../refusals.js';
import type { Who } from '../suspension/who.js';
import type { Noted } from './noted.js';
import type { ReadApproval } from './reads.js';
import type { WrittenApprovals } from './written.js';

interface Deps {
  readonly config: ServerConfig;
  readonly clock: Pick<Clock, 'now'>;
  readonly people: Who;
  readonly temporal: Pick<Temporal, 'start' | 'update'>;
  readonly creationOf: CreationOf;
  readonly agentStates: AgentStates;
  readonly fromStore: FromStore;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly readApproval: ReadApproval;
  readonly noted: Noted;
  readonly writtenApprovals: Pick<WrittenApprovals, 'touch'>;
}

/** What asks an approval where it stands. */
interface Asking {
  readonly temporal: Pick<Temporal, 'update'>;
  readonly readApproval: ReadApproval;
}

/** An approval with what its asker is told when it opens it. */
export type OpenedApproval = ApprovalView & { readonly warnings?: readonly string[] };

/** What the log of its intent says of an approval that the OpenIntent API opens. */
export type LoggedAction = Pick<AskedAction, 'action' | 'reason'>;

/** What is compared under a key: what is to run, in whose name. How it is shown may differ. */
function comparable(request: OpenApprovalRequest): object {
  const { run_id, kind, calls, on_behalf_of, decider, intent_id } = request;
  const proposed = calls.map(({ id, tool, arguments: given }) => ({ id, tool, arguments: given }));
  return { run_id, kind, calls: proposed, on_behalf_of, ...(decider && { decider }), intent_id };
}

/** An id that nothing has: the key is new. */
function unlessMissing(error: unknown): undefined {
  if (refusalOf(error)?.code !== 'approval_not_found') throw error;
}

/** The approval that the key opened before, also under the secrets that ids were made with before. */
async function known(
  readApproval: ReadApproval,
  { id, retired }: Pick<Creation, 'id' | 'retired'>,
): Promise<ApprovalView | undefined> {
  for (const one of [id, ...retired.map(({ id: former }) => former)]) {
    const found = await readApproval(one).catch(unlessMissing);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/** An approval that retention has removed is not asked for again under its key: throws `removed_by_retention`. */
async function demandKeyNew(
  fromStore: FromStore,
  { id, retired }: Pick<Creation, 'id' | 'retired'>,
): Promise<void> {
  for (const one of [id, ...retired.map(({ id: former }) => former)]) {
    await demandNotRemoved(fromStore, 'approval', one, 'request_key');
  }
}

/**
 * The approval once people can answer, or nobody has to.
 *
 * @param earlier - as it was read before, which is enough if it names a question; undefined if the question has to be there
 */
export async function opened(
  { temporal, readApproval }: Asking,
  caller: Caller,
  id: string,
  earlier: ApprovalView | undefined,
): Promise<AskedApproval> {
  if (earlier !== undefined && (earlier.status !== 'pending' || earlier.suspension_id !== null)) {
    return earlier;
  }
  const asked = await temporal.update(workflowIdOf('approval', id), openedUpdate, {
    by: proven(caller),
  });
  if (asked.kind === 'done') return asked.value;
  if (asked.kind === 'no_answer') throw writeUnavailable();
  return (await readApproval(id)).value;
}

/** Makes what an approval starts with. */
function createInputs({
  config,
  clock,
  people,
  agentStates,
}: Pick<Deps, 'config' | 'clock' | 'people' | 'agentStates'>) {
  function termsOf(request: OpenApprovalRequest, { id, creation_hash }: Creation): RedeemTerms {
    const { checkpoint } = request;
    return {
      within_seconds: config.approvals.redeem_within_seconds,
      ...(creation_hash !== undefined && { request_hash: creation_hash }),
      ...(checkpoint && { sealed: sealed(checkpoint, id) }),
    };
  }

  function sealed({ schema_version, state }: AgentCheckpoint, id: string) {
    demand(checkFieldSizes({ checkpoint: state }, LIMITS.agentCheckpointBytes));
    return { schema_version, content: agentStates.seal(state, id) };
  }

  /** The `decider` decides where nobody else is named, unless who asks, or is asked for, never answers. */
  function inputOf(
    caller: Caller,
    request: OpenApprovalRequest,
    creation: Creation,
    logged: LoggedAction | undefined,
  ): ApprovalInput {
    const { calls, checkpoint: _left, request_key: _key, intent_id = null, ...rest } = request;
    const why = logged?.reason ? { reason: logged.reason } : {};
    const ask = { ...rest, ...why, calls, approval_id: creation.id, agent: caller.principal };
    const { separation_of_duties } = config.suspension;
    const opening = demand(openingOf(ask, config.approvals, !separation_of_duties));
    const plan = opening.plan && demand(planWithPeople(opening.plan, request.decider, people()));
    const { creation_hash: _hash, ...log } = logStartOf(creation);
    const asked_as = actorOf(caller);
    return {
      ...opening,
      ...(plan && { plan }),
      ...log,
      asked_by: caller.principal,
      ...(asked_as !== caller.principal && { asked_as }),
      asked_at: toInstant(clock.now()),
      intent_id,
      ...(logged ? { action: logged.action } : { redeemable: termsOf(request, creation) }),
    };
  }

  return inputOf;
}

/** A user who asks for what is its own needs nobody's leave. */
function demandActsFor(
  { principal, acts_for = [] }: Caller,
  user: string | undefined,
  field: keyof NamedUsers,
): void {
  if (user !== principal) demand(checkActsFor(acts_for, user, field));
}

/**
 * Opens approvals for agents that are not on Temporal. With a `request_key` the id follows from principal and key, so that a
 * repetition finds what was opened before.
 */
export function createApprovalOpening(deps: Deps) {
  const { temporal, creationOf, reads, readApproval, noted, writtenApprovals } = deps;
  const inputOf = createInputs(deps);

  /** The log of a closed intent takes nothing more. */
  async function demandIntent(intentId: string, isLogged: boolean): Promise<void> {
    const { value: intent } = await referenced('intent_id', reads.getIntent(intentId));
    if (isLogged) demand(checkOpen(intent));
  }

  async function start(workflowId: string, input: ApprovalInput): Promise<void> {
    const summary = input.proposal.prompt;
    const attributes = [...approvalAttributes(input)];
    await temporal.start('approval', { workflowId, input, summary, attributes });
  }

  /** Starts what no key has opened before; returns what its asker is told. */
  async function startNew(
    caller: Caller,
    request: OpenApprovalRequest,
    creation: Creation,
    logged: LoggedAction | undefined,
  ): Promise<Pick<OpenedApproval, 'warnings'>> {
    if (request.request_key !== undefined) await demandKeyNew(deps.fromStore, creation);
    const input = inputOf(caller, request, creation, logged);
    await start(creation.workflowId, input);
    const warnings = input.plan ? warningsIn(input.plan) : [];
    return warnings.length > 0 ? { warnings } : {};
  }

  return {
    /**
     * Resolves once people can answer. Throws `forbidden` if the key does not act for the user, `intent_not_found`,
     * `request_key_reused`, `removed_by_retention`, what `openingOf` refuses, `unknown_principal`, and `workflow_unavailable`: it may then be open all the same.
     *
     * @param logged - what the OpenIntent API asks for: nobody redeems it, its end is in the log under its action, and
     *   a closed intent refuses it with `intent_closed`
     */
    async openApproval(
      caller: Caller,
      request: OpenApprovalRequest,
      logged?: LoggedAction,
    ): Promise<OpenedApproval> {
      const { on_behalf_of, decider, intent_id, request_key } = request;
      demandActsFor(caller, on_behalf_of, 'on_behalf_of');
      demandActsFor(caller, decider, 'decider');
      if (intent_id !== undefined) await demandIntent(intent_id, logged !== undefined);
      const creation = creationOf('approval', caller, request_key, comparable(request));
      const earlier = request_key === undefined ? undefined : await known(readApproval, creation);
      const told = earlier ? {} : await startNew(caller, request, creation, logged);
      // An approval names a question before people can answer it.
      const ended = earlier?.status === 'pending' ? undefined : earlier;
      const view = await opened(deps, caller, earlier?.approval_id ?? creation.id, ended);
      if (logged) await noted(view);
      if (earlier === undefined) writtenApprovals.touch(view.approval_id, 'there');
      const stored = view.redemption?.request_hash ?? undefined;
      if (stored === creation.creation_hash) return { ...view, ...told };
      throw requestKeyReused('approval', 'the calls');
    },
    /** The approval that a key of the caller has opened. Throws `approval_not_found`. */
    async findApproval(caller: Caller, requestKey: string): Promise<ApprovalView> {
      const found = await known(readApproval, creationOf('approval', caller, requestKey, {}));
      if (found !== undefined) return found;
      throw refused('approval_not_found', 'No approval has been opened under this key.', {
        field: 'request_key',
      });
    },
  };
}
