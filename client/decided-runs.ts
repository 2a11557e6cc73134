import type { AgentCheckpoint } from '../contracts/approval/requests.js';
import type { ApprovalView } from '../contracts/approval/approval.js';
import { SNAPSHOT_VERSION } from '../contracts/constants/approvals.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import { claimRun, finishRun, whileRenewed } from './claimed-run.js';
import type { RunTerms } from './claimed-run.js';
import type { Connection } from './connection.js';
import { HoldpointError } from './errors.js';
import { isObject, nextOffsetIn } from './reply.js';
import { WebhookError, verifiedWebhook } from './webhook.js';
import type { WebhookHeaders } from './webhook.js';

/** A run whose calls are all decided, for the one process that resumes it. */
export interface DecidedRun {
  readonly run: string;
  /** Its approvals that nobody has picked up yet, oldest first. */
  readonly approvals: readonly ApprovalView[];
  /** The last state that the agent left. */
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
   * Takes a request of a webhook subscription, and looks at once if it reports a decision. Repeated or late requests do no
   * harm. Throws WebhookError if the signature does not fit.
   *
   * @param body - the raw body
   */
  handleWebhook(headers: WebhookHeaders, body: string | Uint8Array): Promise<void>;
  /** Looks at once. */
  wake(): void;
  /** Starts no further run, and resolves once the current one has ended. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

type Options = DecidedOptions & RunTerms;

type Query = Readonly<Record<string, string | number>>;

const EVERY_SECONDS = 5;
const PAGE = 1_000;
/** The events that end an approval. */
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

/** Groups approvals by run, oldest first. */
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
