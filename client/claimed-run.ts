import type { ClaimedCheckpoint } from '../contracts/approval/requests.js';
import type { ApprovalView } from '../contracts/approval/approval.js';
import { pathOf } from './connection.js';
import type { Connection } from './connection.js';
import { HoldpointError } from './errors.js';
import { mayRepeat } from './retry.js';

/** The process that resumes a run, and the seconds until another process may take it over. */
export interface RunTerms {
  readonly holder: string;
  readonly lease_seconds: number;
}

/** A lease is renewed after a quarter of its time, and each try may take another quarter. */
const PARTS = 4;
/** The failures in a row after which the lease may be over. */
const MOST_FAILURES = 2;

/**
 * Claims the checkpoints of a run, oldest first: the holder of the oldest one has the run. Leaves out those that are over.
 * Resolves with undefined if another process has or had the run, or if all are over.
 */
export async function claimRun(
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
 * Works on a claimed run, and renews its lease meanwhile. The signal aborts once the lease is lost: another process has the
 * run, or the server was unreachable for the time of the lease. The work must then stop.
 */
export async function whileRenewed(
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

/** Finishes the checkpoints of a run, oldest first: if this process dies in between, the rest has the newest state. */
export async function finishRun(
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
