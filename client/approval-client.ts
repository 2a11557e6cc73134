import type {
  AgentCheckpoint,
  ApprovalRequired,
  MutationRequest,
  OpenApprovalBody,
  Redeemed,
  ResumeReply,
} from '../contracts/approval-requests.js';
import type { ApprovalView } from '../contracts/approval.js';
import type { JsonObject, JsonValue } from '../contracts/primitives.js';
import { ProposalMutated, approvalErrorOf } from './approval-errors.js';
import { callKey, hashOf } from './call-key.js';
import { askedAbout } from './checked-turn.js';
import type { TurnRequest } from './checked-turn.js';
import { Connection, pathOf, randomKey } from './connection.js';
import type { ConnectionOptions } from './connection.js';
import { deliverDecided, watchDecided } from './decided-runs.js';
import type { DecidedOptions, DecidedWatch, OnDecided } from './decided-runs.js';
import { resumeRequest } from './decision.js';
import type { Decision, RunRequest } from './decision.js';
import { HoldpointError } from './errors.js';

/** A tool call that may need approval. */
export interface AskedCall {
  readonly run: string;
  /** The model's id of the call. */
  readonly toolCallId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** JSON Schema of the arguments: no edit of an approver may break it. */
  readonly inputSchema?: JsonObject | undefined;
  /** The state of an agent that does not wait: `onDecided` gets it back. */
  readonly resume?: JsonValue | AgentCheckpoint | undefined;
  /** What else is said of the call: for whom, why, and what people see. */
  readonly request?: Omit<OpenApprovalBody, 'run_id' | 'calls' | 'checkpoint' | 'request_key'>;
}

/** The calls of a turn, before any of them runs. */
export interface CheckedTurn {
  readonly run: string;
  readonly calls: readonly {
    readonly id: string;
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly inputSchema?: JsonObject | undefined;
  }[];
  readonly resume?: JsonValue | AgentCheckpoint | undefined;
  readonly request?: AskedCall['request'];
}

/** Says of a call whether a person has to allow it; it may ask anything. */
export type CheckForIntervention = (
  call: CheckedTurn['calls'][number],
) => boolean | Promise<boolean>;

export interface ApprovalOptions extends ConnectionOptions {
  /** Decides which calls are asked about at all; every call unless given. */
  readonly check_for_intervention?: CheckForIntervention | undefined;
  /** Names this process. One that starts anew under the same name goes on with what it had redeemed. */
  readonly holder?: string | undefined;
  /** How long a call may take before another process may take it over; 60 unless given. */
  readonly leaseSeconds?: number | undefined;
}

/** A request under its key. */
export type AskedRequest = ApprovalRequired & { readonly key: string };

/** What is known of a key: its approval, its tool, and the token of its lease. */
interface Known {
  readonly approvalId: string;
  readonly tool: string;
  readonly token?: number;
}

/**
 * Approvals for the tools of any framework. `redeem`, called inside the tool, is what gates it: a tool that does not redeem
 * is not gated. A call runs once only if what it does honours `idempotency_key`.
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
   * Asks for the approval of a call. The same call is asked about once: repeats find the first request, also after a
   * crash. Other arguments under the same id are another call.
   */
  async ask(call: AskedCall): Promise<AskedRequest> {
    const { run, toolCallId, tool, arguments: args, inputSchema, resume, request } = call;
    const key = await callKey(run, toolCallId, args);
    const calls = [proposed({ id: toolCallId, tool, arguments: args, inputSchema })];
    const opened = await this.#open({ ...request, ...resumeOf(resume), run_id: run, calls }, key);
    const approvalId = opened.request_id;
    // Who proposes a call again that this process has redeemed can still complete it.
    if (this.#known.get(key)?.approvalId !== approvalId) this.#note(key, { approvalId, tool });
    return { ...opened, key };
  }

  /**
   * Checks the calls of a turn before they run: those that `check_for_intervention` names are asked about together. Resolves
   * with the request to show to the user, or with undefined if all calls may run. A malformed call stops no other: it is not asked
   * about, must not run, and has a result in `errored` for the model.
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
   * Redeems a call, inside the tool: returns the approved arguments, which may be edited ones, who approved, and the key
   * under which to carry it out. With a `completed_at` it has run, and `result` is what it returned. Throws ApprovalPending,
   * ApprovalDenied, ApprovalExpired, ProposalMutated, or HoldpointError `approval_in_use` while another process has it. That a
   * tool was to run another call than was asked about is in the log of the run, too.
   *
   * @param given - the arguments that the tool was called with, to be compared with those that were asked about, if the key is that
   *   of one call: the key of a turn, or one of your own, does not hold them
   * @param named - the name of the tool that redeems, to be compared with that of the approved call
   */
  async redeem(key: string, given?: JsonObject, named?: string): Promise<Redeemed> {
    const { approvalId, tool } = await this.#find(key);
    const arguments_hash = given && OF_CALL.test(key) ? await hashOf(given) : undefined;
    if (arguments_hash !== undefined && !key.endsWith(`:${arguments_hash}`)) {
      const detail = 'The tool was called with other arguments than were asked about.';
      const refusal = new HoldpointError('proposal_mutation_detected', detail);
      const noted = await this.#tell(approvalId, { arguments_hash });
      throw new ProposalMutated(tool, refusal, noted);
    }
    try {
      const path = pathOf('approvals', approvalId, '/redeem');
      const body = { ...this.#lease, ...(named !== undefined && { tool: named }) };
      const redeemed = await this.#connection.repeat<Redeemed>('POST', path, body);
      this.#note(key, { approvalId, tool, token: redeemed.token });
      return redeemed;
    } catch (error) {
      const failure = approvalErrorOf(tool, error);
      if (!(failure instanceof ProposalMutated) || failure.field !== 'tool') throw failure;
      const noted = await this.#tell(approvalId, { tool: named });
      throw new ProposalMutated(tool, error as HoldpointError, noted);
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
   * Decides about all calls of a request, with the key of who may: by the id of the request alone, or by the id of the run
   * and that of its approval, which then has to be of this run. A request that waits for more people comes back as `pending`.
   * Where several stages decide, each later one takes a decision that names its question. Throws a DecisionError: UnknownRequest,
   * AlreadyDecided, StageMismatch, ProposalChanged, NotEligible, AlreadyVoted, PartialDecision or DataRefused; and
   * ConnectionError if the reply was lost, after which the same decision is AlreadyDecided, or StageMismatch, if it came through.
   */
  async resume(request: string | RunRequest, decision: Decision): Promise<ResumeReply> {
    return resumeRequest(this.#connection, request, decision);
  }

  /** Reads an approval. */
  async get(approvalId: string): Promise<ApprovalView> {
    return this.#connection.read(pathOf('approvals', approvalId));
  }

  /**
   * Brings runs back whose agents left a checkpoint: each one once all its calls are decided, to one process, whose lease is
   * renewed while `fn` goes on. Looks every few seconds, and at once when `handleWebhook` is told of a decision.
   */
  onDecided(fn: OnDecided, options: DecidedOptions = {}): DecidedWatch {
    return watchDecided(this.#connection, { ...this.#lease, ...options }, fn);
  }

  /** Looks once for such runs, and resolves with how many were brought back. */
  deliverDecided(fn: OnDecided, options: DecidedOptions = {}): Promise<number> {
    return deliverDecided(this.#connection, { ...this.#lease, ...options }, fn);
  }

  /** Has the log say what was to run in place of what was asked about. Nothing runs, also where nobody can be told. */
  async #tell(approvalId: string, found: MutationRequest): Promise<boolean> {
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
    const found = await this.#connection.repeat<ApprovalRequired>('POST', path, {
      request_key: key,
    });
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

/** The end of what `callKey` makes: the hash of the arguments. */
const OF_CALL = /:[0-9a-f]{64}$/;

/** So many keys are remembered; the others are looked up again. */
const MOST_KNOWN = 10_000;

function proposed({ id, tool, arguments: args, inputSchema }: CheckedTurn['calls'][number]) {
  const input_schema = inputSchema === undefined ? {} : { input_schema: inputSchema };
  return { id, tool, arguments: args, ...input_schema };
}

function resumeOf(resume: JsonValue | AgentCheckpoint | undefined) {
  if (resume === undefined) return {};
  const isCheckpoint =
    typeof resume === 'object' &&
    resume !== null &&
    'schema_version' in resume &&
    'state' in resume;
  return { checkpoint: isCheckpoint ? (resume as AgentCheckpoint) : { state: resume } };
}
