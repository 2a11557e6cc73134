import type {
  AgentCheckpoint,
  ApprovalRequired,
  MutationRequest,
  OpenApprovalBody,
  Redeemed,
  ResumeReply,
} from '../contracts/approval/requests.js';
import type { ApprovalView } from '../contracts/approval/approval.js';
import type { JsonObject, JsonValue } from '../contracts/kernel/primitives.js';
import { ApprovalPending, ProposalMutated, approvalErrorOf } from './approval-errors.js';
import {
  askedAbout,
  type AskedRequest,
  type AskedWith,
  type CheckForIntervention,
  type CheckedTurn,
  type TurnRequest,
} from './checked-turn.js';
import { Connection, pathOf, randomKey, type ConnectionOptions } from './connection.js';
import {
  deliverDecided,
  watchDecided,
  type DecidedOptions,
  type DecidedWatch,
  type OnDecided,
} from './decided-runs.js';
import { resumeRequest, type Decision, type RunRequest } from './decision.js';
import { HoldpointError } from './errors.js';
import { isObject } from './reply.js';
import { subtle } from './webhook.js';
import { pauseBeforeRetry } from './retry.js';
import { defined } from '../contracts/constants/defined.js';
import { exactJson } from '../contracts/constants/exact-json.js';

/** A tool call that may need approval. */
export interface AskedCall {
  readonly run: string;
  /** The model's id of the call. */
  readonly toolCallId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The JSON Schema of the arguments, which no edit of an approver may break. */
  readonly inputSchema?: JsonObject | undefined;
  /** The arguments that lists show of the call, as paths such as `to.country`; the first three unless given. */
  readonly summary?: readonly string[] | undefined;
  /** The state of an agent that does not wait; `onDecided` receives it. */
  readonly resume?: JsonValue | AgentCheckpoint | undefined;
  /** Further fields of the request: for whom, why, and what people see. */
  readonly request?: AskedWith;
}

export interface ApprovalOptions extends ConnectionOptions {
  /** Decides which calls need approval; all of them by default. */
  readonly check_for_intervention?: CheckForIntervention | undefined;
  /** The name of this process. A process that restarts under the same name keeps what it has redeemed. */
  readonly holder?: string | undefined;
  /** The seconds that a call may take before another process may take it over; 60 by default. */
  readonly leaseSeconds?: number | undefined;
}

/** The approval and the tool of a key, and the token of its lease. */
interface Known {
  readonly approvalId: string;
  readonly tool: string;
  readonly token?: number;
}

/**
 * Approvals for the tools of any framework. A tool is gated by calling `redeem` itself. A call runs exactly once only if its
 * effect honours `idempotency_key`.
 */
export class ApprovalClient {
  readonly #connection: Connection;
  readonly #check: CheckForIntervention;
  readonly #lease: { readonly holder: string; readonly lease_seconds: number };
  readonly #known = new Map<string, Known>();

  constructor(options: ApprovalOptions) {
    this.#connection = new Connection(options);
    this.#check = options.check_for_intervention ?? (() => true);
    const holder = options.holder ?? `process-${randomKey()}`;
    this.#lease = { holder, lease_seconds: options.leaseSeconds ?? 60 };
  }

  /**
   * Asks for the approval of a call, once: repeats find the first request, also after a crash. Other arguments under the same
   * id are another call.
   */
  async ask(call: AskedCall): Promise<AskedRequest> {
    const { run, toolCallId, tool, resume, request } = call;
    const key = await callKey(call);
    const calls = [proposed({ ...call, id: toolCallId })];
    const opened = await this.#open({ ...request, ...resumeOf(resume), run_id: run, calls }, key);
    const approvalId = opened.request_id;
    // A call that this process has redeemed and proposes again can still be completed.
    if (this.#known.get(key)?.approvalId !== approvalId) this.#note(key, { approvalId, tool });
    return { ...opened, key };
  }

  /**
   * Checks the calls of a turn before they run, and asks about those that `check_for_intervention` names together. Resolves
   * with the request to show to the user, or with undefined if all calls may run. A malformed call stops no other: it must
   * not run, and `errored` has its result for the model.
   */
  async checkTurn({ run, calls, resume, request }: CheckedTurn): Promise<TurnRequest | undefined> {
    const claimed = { requires_approval: true };
    return askedAbout(calls, this.#check, async (gated) => {
      const asked = gated.map(({ id, tool, arguments: args }) => ({ id, tool, arguments: args }));
      const key = `${run}:turn:${await hashOf(asked)}:${asked.length}`;
      const proposals = gated.map((call) => ({ ...proposed(call), claimed }));
      const body = { ...request, ...resumeOf(resume), run_id: run, calls: proposals };
      return { ...(await this.#open(body, key)), key };
    });
  }

  /**
   * Redeems a call, inside the tool: returns the approved arguments, which may be edited, the approvers, and the idempotency
   * key for the effect. With a `completed_at` the call has already run and returned `result`. Throws ApprovalPending,
   * ApprovalDenied, ApprovalExpired, ProposalMutated (also recorded in the log of the run), or HoldpointError
   * `approval_in_use` while another process has it.
   *
   * @param given - the arguments of the tool call, compared with the proposed ones if the key is that of one call: the key of
   *   a turn, or your own key, does not hold them
   * @param named - the name of the redeeming tool, compared with that of the approved call
   */
  async redeem(key: string, given?: JsonObject, named?: string): Promise<Redeemed> {
    const { approvalId, tool } = await this.#find(key);
    const arguments_hash = given && OF_CALL.test(key) ? await hashOf(given) : undefined;
    if (arguments_hash !== undefined && !key.endsWith(`:${arguments_hash}`)) {
      const detail = 'The tool was called with other arguments than were asked about.';
      const refusal = new HoldpointError('proposal_mutation_detected', detail);
      const noted = await this.#noteMutation(approvalId, { arguments_hash });
      throw new ProposalMutated(tool, refusal, noted);
    }
    try {
      const path = pathOf('approvals', approvalId, '/redeem');
      const body = { ...this.#lease, ...defined({ tool: named }) };
      const redeemed = await this.#connection.repeat<Redeemed>('POST', path, body);
      this.#note(key, { approvalId, tool, token: redeemed.token });
      return redeemed;
    } catch (error) {
      const failure = approvalErrorOf(tool, error);
      if (!(failure instanceof ProposalMutated) || failure.field !== 'tool') throw failure;
      const noted = await this.#noteMutation(approvalId, { tool: named });
      throw new ProposalMutated(tool, error as HoldpointError, noted);
    }
  }

  /**
   * Redeems as `redeem` does, but waits as long as nobody has decided, or as another process has the call.
   *
   * @param signal - ends the wait; the question stays open
   */
  async redeemOnceDecided(
    key: string,
    given?: JsonObject,
    named?: string,
    signal?: AbortSignal,
  ): Promise<Redeemed> {
    for (let hurried = 0; ;) {
      try {
        return await this.redeem(key, given, named);
      } catch (error) {
        const isBusy = error instanceof HoldpointError && error.code === 'approval_in_use';
        if (!isBusy && !(error instanceof ApprovalPending)) throw error;
      }
      signal?.throwIfAborted();
      const path = pathOf('approvals', (await this.#find(key)).approvalId, '/wait');
      const { status } = await this.#connection.read<ApprovalView>(path, LONG_POLL, { signal });
      hurried = status === 'pending' ? 0 : hurried + 1;
      if (hurried > 0) await this.#connection.timers.pause(pauseBeforeRetry(hurried), signal);
    }
  }

  /** Records what a redeemed call returned; later redeems return it. Throws HoldpointError `stale_token` after a take-over. */
  async complete(key: string, result: JsonValue): Promise<Redeemed> {
    const { approvalId, token } = this.#known.get(key) ?? {};
    if (approvalId === undefined || token === undefined) {
      throw new HoldpointError('not_redeemed', 'This process has not redeemed the call.');
    }
    const path = pathOf('approvals', approvalId, '/complete');
    return this.#connection.repeat('POST', path, { token, result });
  }

  /**
   * Decides about all calls of a request: by the id of the request, or by the id of an approval that belongs to the given
   * run. The key must be that of an approver. A request that waits for more people comes back as `pending`. If several stages
   * decide, a decision for a later one names its question. Throws a DecisionError: UnknownRequest, AlreadyDecided,
   * StageMismatch, ProposalChanged, NotEligible, AlreadyVoted, PartialDecision or DataRefused; and ConnectionError if the
   * reply was lost: if the decision had arrived, a repeat is AlreadyDecided or StageMismatch.
   */
  async resume(request: string | RunRequest, decision: Decision): Promise<ResumeReply> {
    return resumeRequest(this.#connection, request, decision);
  }

  async get(approvalId: string): Promise<ApprovalView> {
    return this.#connection.read(pathOf('approvals', approvalId));
  }

  /**
   * Resumes runs whose agents left a checkpoint: each once all its calls are decided, in one process, whose lease is renewed
   * while `fn` runs. Looks every few seconds, and at once when `handleWebhook` receives a decision.
   */
  onDecided(fn: OnDecided, options: DecidedOptions = {}): DecidedWatch {
    return watchDecided(this.#connection, { ...this.#lease, ...options }, fn);
  }

  /** Looks once for such runs, and resolves with the number of resumed ones. */
  deliverDecided(fn: OnDecided, options: DecidedOptions = {}): Promise<number> {
    return deliverDecided(this.#connection, { ...this.#lease, ...options }, fn);
  }

  /** Records in the log what was about to run instead of the proposal; resolves with false if that fails. */
  async #noteMutation(approvalId: string, found: MutationRequest): Promise<boolean> {
    try {
      await this.#connection.repeat('POST', pathOf('approvals', approvalId, '/mutations'), found);
      return true;
    } catch {
      return false;
    }
  }

  #open(body: OpenApprovalBody, request_key: string): Promise<ApprovalRequired> {
    return this.#connection.repeat('POST', '/approvals', { ...body, request_key });
  }

  async #find(key: string): Promise<Known> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const path = '/approvals/by-key';
    const body = { request_key: key };
    const found = await this.#connection.repeat<ApprovalRequired>('POST', path, body);
    const [call] = found.task.tool_calls;
    const fresh = { approvalId: found.request_id, tool: call?.tool ?? found.kind };
    this.#note(key, fresh);
    return fresh;
  }

  #note(key: string, known: Known): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/**
 * Returns the key that `ask` gives to a tool call: its run, the model's id of the call, and a hash of the proposed arguments,
 * because providers give the same id to different calls.
 */
export async function callKey(call: AskedCall): Promise<string> {
  const { run, toolCallId, arguments: args } = call;
  return `${run}:${toolCallId}:${await hashOf(args)}`;
}

/**
 * Returns the SHA-256 of a value as it is sent, as JSON with sorted keys, in hexadecimal digits.
 *
 * @throws TypeError for a number that JSON does not have
 */
async function hashOf(value: JsonValue): Promise<string> {
  const sent = JSON.parse(exactJson(value)) as JsonValue;
  const bytes = new TextEncoder().encode(inOrder(sent));
  const digest = await subtle().digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns JSON with sorted keys. */
function inOrder(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  const entries = Object.entries(value as JsonObject)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${inOrder(one)}`);
  return `{${entries.join(',')}}`;
}

const LONG_POLL = { timeout_seconds: 30 };

const OF_CALL = /:[0-9a-f]{64}$/;

/** The most keys that are remembered; others are looked up again. */
const MOST_KNOWN = 10_000;

function proposed(call: CheckedTurn['calls'][number]) {
  const { id, tool, arguments: args, inputSchema, summary } = call;
  const chosen = summary && [...summary];
  return { id, tool, arguments: args, ...defined({ input_schema: inputSchema, summary: chosen }) };
}

function resumeOf(resume: JsonValue | AgentCheckpoint | undefined) {
  if (resume === undefined) return {};
  const isCheckpoint = isObject(resume) && 'schema_version' in resume && 'state' in resume;
  return { checkpoint: isCheckpoint ? (resume as AgentCheckpoint) : { state: resume } };
}
