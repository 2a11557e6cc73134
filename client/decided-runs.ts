import type { AgentCheckpoint, ClaimedCheckpoint } from '../contracts/approval-requests.js';
import type { ApprovalView } from '../contracts/approval.js';
import { SNAPSHOT_VERSION } from '../contracts/constants/approvals.js';
import type { JsonValue } from '../contracts/primitives.js';
import { pathOf } from './connection.js';
import type { Connection } from './connection.js';
import { HoldpointError } from './errors.js';

/** A run whose calls are all decided, for the one process that goes on with it. */
export interface DecidedRun {
  readonly run: string;
  /** Its approvals that nobody has brought back yet, oldest first. */
  readonly approvals: readonly ApprovalView[];
  /** The state that the agent left last. */
  readonly state: JsonValue;
}

/** Goes on with a run. Once it resolves, nobody else gets the run; if it rejects, another process does after the lease. */
export type OnDecided = (run: DecidedRun) => Promise<unknown>;

export interface DecidedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Seconds between two looks; 5 unless given. */
  readonly everySeconds?: number | undefined;
  /** Upgrades a state that an earlier version of the agent left; one of the present version passes as it is. */
  readonly migrate?: ((state: JsonValue, version: string) => JsonValue) | undefined;
  /** The form of the states that the agent leaves now; `composer_v1` unless given. */
  readonly schemaVersion?: string | undefined;
  /** Gets what `fn` rejects with, and why no look was possible; the console unless given. */
  readonly onError?: ((error: unknown, run?: string) => void) | undefined;
}

/** What looks for decided runs. It ends with its signal. */
export interface DecidedWatch {
  /** Looks at once; for the handler of a webhook that has checked its signature. */
  wake(): void;
  readonly ended: Promise<void>;
}

type Lease = { readonly holder: string; readonly lease_seconds: number };
type Options = DecidedOptions & Lease;

type Query = Readonly<Record<string, string | number>>;

const EVERY_SECONDS = 5;
const PAGE = 1_000;

/** Looks for decided runs until the signal aborts. */
export function watchDecided(
  connection: Connection,
  options: Options,
  fn: OnDecided,
): DecidedWatch {
  const { signal, everySeconds = EVERY_SECONDS } = options;
  let waking = new AbortController();
  const look = async (): Promise<void> => {
    while (signal?.aborted !== true) {
      waking = new AbortController();
      await deliverDecided(connection, options, fn).catch((error: unknown) => {
        report(options, error);
      });
      const until = signal ? AbortSignal.any([signal, waking.signal]) : waking.signal;
      await connection.timers.pause(everySeconds * 1_000, until).catch(() => undefined);
    }
  };
  return {
    ended: look(),
    wake() {
      waking.abort();
    },
  };
}

/** Brings back each run that is decided and that no other process has; resolves with how many. */
export async function deliverDecided(
  connection: Connection,
  options: Options,
  fn: OnDecided,
): Promise<number> {
  const open = await approvalsWhere(connection, { checkpoint: 'open', limit: PAGE });
  let count = 0;
  for (const [run, approvals] of runsOf(open)) {
    if (options.signal?.aborted === true) break;
    if (approvals.some(({ status }) => status === 'pending')) continue;
    try {
      if (await deliver(connection, options, { run, approvals }, fn)) count += 1;
    } catch (error) {
      report(options, error, run);
    }
  }
  return count;
}

function approvalsWhere(connection: Connection, query: Query): Promise<readonly ApprovalView[]> {
  return connection.list('/approvals', 'approvals', query);
}

/** By run, oldest first. */
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

/** Whoever claims the oldest checkpoint has the run: the others are claimed after it and finished before it. */
async function deliver(
  connection: Connection,
  options: Options,
  { run, approvals }: Pick<DecidedRun, 'run' | 'approvals'>,
  fn: OnDecided,
): Promise<boolean> {
  const { holder, lease_seconds } = options;
  const waiting = await approvalsWhere(connection, { run_id: run, status: 'pending', limit: 1 });
  if (waiting.length > 0) return false;
  const claimed: ClaimedCheckpoint[] = [];
  for (const { approval_id } of approvals) {
    const path = pathOf('approvals', approval_id, '/checkpoint/claim');
    const body = { holder, lease_seconds };
    const claim = await connection.repeat<ClaimedCheckpoint>('POST', path, body).catch(unlessTaken);
    if (claim === undefined) return false;
    claimed.push(claim);
  }
  const state = stateOf(claimed.at(-1)?.checkpoint ?? null, options);
  await fn({ run, approvals: claimed.map(({ approval }) => approval), state });
  for (const { approval_id, token } of claimed.reverse()) {
    const path = pathOf('approvals', approval_id, '/checkpoint/finish');
    await connection.repeat('POST', path, { token });
  }
  return true;
}

/** Another process has it, or had it. */
function unlessTaken(error: unknown): undefined {
  const taken: readonly string[] = ['approval_in_use', 'invalid_transition'];
  if (error instanceof HoldpointError && taken.includes(error.code)) return undefined;
  throw error;
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
