import type { AgentCheckpoint, ClaimedCheckpoint } from '../contracts/approval/requests.js';
import type { ApprovalView } from '../contracts/approval/approval.js';
import { pathOf, type Connection } from './connection.js';
import { HoldpointError } from './errors.js';
import { mayRepeat } from './retry.js';
import { SNAPSHOT_VERSION } from '../contracts/constants/approvals.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import { isObject, nextOffsetIn } from './reply.js';
import { WebhookError, verifiedWebhook, type WebhookHeaders } from './webhook.js';

/** The process that resumes a run, and the seconds until another process may take it over. */
interface RunTerms {
  readonly holder: string;
  readonly lease_seconds: number;
}

/** A lease is renewed after a quarter of its time, and each try may take another quarter. */
const PARTS = 4;
/** The failures in a row after which the lease may be over. */
const MOST_FAILURES = 2;

/**
 * Claims the checkpoints of a run, oldest first, without those that are over: the holder of the oldest one has the
 * run. Undefined if another process has or had it, or all are over.
 */
async function claimRun(
  connection: Connection,
  approvals: readonly ApprovalView[],
  terms: RunTerms,
): Promise<readonly ClaimedCheckpoint[] | undefined> {
  const claimed: ClaimedCheckpoint[] = [];
  for (const { approval_id } of approvals) {
    const path = claimPath(approval_id);
    const claim = await connection
      .repeat<ClaimedCheckpoint>('POST', path, terms)
      .catch(insteadOfClaim);
    if (claim === 'taken') return undefined;
    if (claim !== 'over') claimed.push(claim);
  }
  return claimed.length > 0 ? claimed : undefined;
}

/**
 * Works on a claimed run, and renews its lease meanwhile. The signal aborts once the lease is lost, to another
 * process or for lack of a server. The work must then stop.
 */
async function whileRenewed(
  connection: Connection,
  claimed: readonly ClaimedCheckpoint[],
  terms: RunTerms,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const done = new AbortController();
  const lost = new AbortController();
  const working = work(lost.signal);
  const renewing = keepRenewed(connection, claimed, terms, done.signal).catch((error: unknown) => {
    if (!done.signal.aborted) lost.abort(leaseLost(error));
  });
  try {
    await working;
  } finally {
    done.abort();
    await renewing;
  }
}

/** Finishes the checkpoints of a run, oldest first: if this process dies in between, the newest state remains. */
async function finishRun(
  connection: Connection,
  claimed: readonly ClaimedCheckpoint[],
): Promise<void> {
  for (const { approval_id, token } of claimed) {
    const path = pathOf('approvals', approval_id, '/checkpoint/finish');
    await connection.repeat('POST', path, { token });
  }
}

function claimPath(approvalId: string): string {
  return pathOf('approvals', approvalId, '/checkpoint/claim');
}

/** Renews until `done`; rejects once the lease is lost. */
async function keepRenewed(
  connection: Connection,
  claimed: readonly ClaimedCheckpoint[],
  terms: RunTerms,
  done: AbortSignal,
): Promise<void> {
  const part = terms.lease_seconds / PARTS;
  for (let failures = 0; ;) {
    await connection.timers.pause(part * 1_000, done);
    if (done.aborted) return;
    try {
      for (const claim of claimed) await renew(connection, claim, terms, done);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures >= MOST_FAILURES || !mayRepeat(error, 'always')) throw error;
    }
  }
}

/** Claims again what this process has, which renews the lease under its token. */
async function renew(
  connection: Connection,
  { approval_id, token }: ClaimedCheckpoint,
  terms: RunTerms,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await connection.send({
    method: 'POST',
    path: claimPath(approval_id),
    body: terms,
    repeatable: 'always',
    tries: 1,
    patienceSeconds: terms.lease_seconds / PARTS,
    signal,
  });
  if ((body as ClaimedCheckpoint).token !== token) throw leaseLost(undefined);
}

function leaseLost(cause: unknown): HoldpointError {
  const detail = 'This process has the run no longer: another one may go on with it.';
  return new HoldpointError('lease_lost', detail, { cause });
}

/** `taken`: another process has or had it. `over`: it was erased, lost, or not picked up in time. */
function insteadOfClaim(error: unknown): 'taken' | 'over' {
  const taken: readonly string[] = ['approval_in_use', 'invalid_transition'];
  if (!(error instanceof HoldpointError)) throw error;
  if (taken.includes(error.code)) return 'taken';
  if (error.code === 'approval_decided') return 'over';
  throw error;
}

/** A run whose calls are all decided, for the one process that resumes it. */
export interface DecidedRun {
  readonly run: string;
  /** Its approvals that nobody has picked up yet, oldest first. */
  readonly approvals: readonly ApprovalView[];
  /** The last state that the agent saved. */
  readonly state: JsonValue;
}

/** This process's lease of a run, which is renewed during the work. */
export interface DecidedLease {
  /** Aborts if the lease is lost: another process may then resume the run. */
  readonly signal: AbortSignal;
}

/** Resumes a run. Once it resolves, nobody else gets the run; if it rejects, the run is delivered again. */
export type OnDecided = (run: DecidedRun, lease: DecidedLease) => Promise<unknown>;

export interface DecidedOptions {
  readonly signal?: AbortSignal | undefined;
  /** The seconds between two looks; 5 by default. */
  readonly everySeconds?: number | undefined;
  /** The secrets of the subscriptions that post to `handleWebhook`, which refuses everything without one. */
  readonly webhookSecrets?: readonly string[] | undefined;
  /** Upgrades a state that an earlier version of the agent left. */
  readonly migrate?: ((state: JsonValue, version: string) => JsonValue) | undefined;
  /** The current version of the agent's states; `composer_v1` by default. */
  readonly schemaVersion?: string | undefined;
  /** Receives the rejections of `fn`, and the errors of looks; the console by default. */
  readonly onError?: ((error: unknown, run?: string) => void) | undefined;
}

/** A watch for decided runs. It ends by `stop`, or with its signal. */
export interface DecidedWatch {
  /**
   * Handles a request of a webhook subscription, and looks at once if it reports a decision. Repeated or late
   * requests do no harm. Throws WebhookError if the signature does not fit.
   *
   * @param body - the raw body
   */
  handleWebhook(headers: WebhookHeaders, body: string | Uint8Array): Promise<void>;
  wake(): void;
  /** Starts no further run, and resolves once the current one has ended. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

type Options = DecidedOptions & RunTerms;

type Query = Readonly<Record<string, string | number>>;

const EVERY_SECONDS = 5;
const PAGE = 1_000;
const DECIDED: readonly unknown[] = ['approval_resolved', 'proposal_mutation_detected'];

/** Looks for decided runs until it is stopped. */
export function watchDecided(
  connection: Connection,
  { signal: given, ...options }: Options,
  fn: OnDecided,
): DecidedWatch {
  const { everySeconds = EVERY_SECONDS, webhookSecrets = [] } = options;
  const stopping = new AbortController();
  const signal = given ? AbortSignal.any([given, stopping.signal]) : stopping.signal;
  let waking = new AbortController();
  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      waking = new AbortController();
      await deliverDecided(connection, { ...options, signal }, fn).catch((error: unknown) => {
        if (!signal.aborted) report(options, error);
      });
      const until = AbortSignal.any([signal, waking.signal]);
      await connection.timers.pause(everySeconds * 1_000, until).catch(() => undefined);
    }
  };
  const ended = look();
  return {
    ended,
    async handleWebhook(headers, body) {
      if (webhookSecrets.length === 0) throw new WebhookError('No secret is configured.');
      const posted = await verifiedWebhook(webhookSecrets, headers, body);
      const event = isObject(posted) ? posted['event'] : undefined;
      if (isObject(event) && DECIDED.includes(event['event_type'])) waking.abort();
    },
    wake() {
      waking.abort();
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Resumes each decided run that no other process has. Returns the number of runs. */
export async function deliverDecided(
  connection: Connection,
  options: Options,
  fn: OnDecided,
): Promise<number> {
  const { signal } = options;
  const open = await allOpen(connection, signal);
  let count = 0;
  for (const [run, approvals] of runsOf(open)) {
    if (signal?.aborted === true) break;
    if (approvals.some(({ status }) => status === 'pending')) continue;
    try {
      if (await deliver(connection, options, { run, approvals }, fn)) count += 1;
    } catch (error) {
      report(options, error, run);
    }
  }
  return count;
}

/** Returns all approvals with an open checkpoint: the oldest may be on the last page. */
async function allOpen(
  connection: Connection,
  signal?: AbortSignal,
): Promise<readonly ApprovalView[]> {
  // New approvals push others to the next page, so pages may repeat some.
  const open = new Map<string, ApprovalView>();
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const query: Query = { checkpoint: 'open', limit: PAGE, offset };
    const page = await connection.listWith('/approvals', 'approvals', query, { signal });
    for (const one of page.entries as readonly ApprovalView[]) open.set(one.approval_id, one);
    offset = nextOffsetIn(page.reply);
  }
  return [...open.values()];
}

function runsOf(approvals: readonly ApprovalView[]): ReadonlyMap<string, readonly ApprovalView[]> {
  const runs = new Map<string, ApprovalView[]>();
  const inOrder = [...approvals].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  for (const one of inOrder) {
    const { run_id } = one.proposal;
    runs.set(run_id, [...(runs.get(run_id) ?? []), one]);
  }
  return runs;
}

function orderOf({ created_at, approval_id }: ApprovalView): string {
  return `${created_at} ${approval_id}`;
}

/** Resumes a run, and returns whether this process got it. If the lease was lost meanwhile, finishing is refused. */
async function deliver(
  connection: Connection,
  options: Options,
  { run, approvals }: Pick<DecidedRun, 'run' | 'approvals'>,
  fn: OnDecided,
): Promise<boolean> {
  const { holder, lease_seconds } = options;
  const terms = { holder, lease_seconds };
  const pending: Query = { run_id: run, status: 'pending', limit: 1 };
  const waiting = await connection.list('/approvals', 'approvals', pending);
  if (waiting.length > 0) return false;
  const claimed = await claimRun(connection, approvals, terms);
  if (claimed === undefined) return false;
  const state = stateOf(claimed.at(-1)?.checkpoint ?? null, options);
  const decided = { run, approvals: claimed.map(({ approval }) => approval), state };
  await whileRenewed(connection, claimed, terms, (signal) => fn(decided, { signal }));
  await finishRun(connection, claimed);
  return true;
}

function stateOf(checkpoint: AgentCheckpoint | null, options: DecidedOptions): JsonValue {
  const { migrate, schemaVersion = SNAPSHOT_VERSION } = options;
  if (checkpoint === null) return null;
  const { schema_version, state } = checkpoint;
  if (schema_version === schemaVersion) return state;
  if (migrate !== undefined) return migrate(state, schema_version);
  const detail = `The agent left a state of the form ${schema_version}, and nothing migrates it.`;
  throw new HoldpointError('unknown_schema_version', detail);
}

function report({ onError }: DecidedOptions, error: unknown, run?: string): void {
  if (onError !== undefined) onError(error, run);
  else console.error('Holdpoint: a decided run was not brought back', run ?? '', error);
}
