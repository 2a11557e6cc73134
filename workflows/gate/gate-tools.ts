import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import type { GateOutcome } from '../../contracts/approval/gate.js';
import type { StoredSnapshot } from '../../contracts/approval/snapshot.js';
import { checkProposal } from '../../domain/approval/proposal/proposal.js';
import { takeSnapshot } from '../../domain/approval/asking/snapshot.js';
import { groupsOf, holdsUngated } from '../../domain/approval/asking/turn.js';
import { demand } from '../engine/handlers.js';
import { groupOf, type Group, type Opening } from './group-approval.js';
import { BY_HOLDPOINT, refusalOrResult } from '../human/by-holdpoint.js';
import { sortedCalls, type Sorted } from './judging.js';
import { checkedTurn, type GateOptions, type Turn } from './options.js';
import { noteTurn, reportRun } from './report.js';
import { TurnRun } from './turn-run.js';

const { saveSnapshot } = proxyActivities<Pick<Activities, 'saveSnapshot'>>({
  ...BY_HOLDPOINT,
  summary: 'store the snapshot of the agent',
});

/**
 * Runs the tool calls of a model's turn from the code of a workflow, those with a gate once people have approved
 * them, and returns a result for each in the order of the calls (JC-21 to JC-34). Calls without a gate run at once;
 * under `per_turn` they wait too. A rejection or a timeout is a result that the model reads. The worker may die
 * meanwhile and come back days later.
 *
 * Throws an ApplicationFailure for an invalid turn, `secret_refused` for a prompt or context that seems to contain a
 * credential, `state_too_large` for a working memory over 1 MB, and the cancellation of its scope, which withdraws
 * open approvals.
 */
export async function gateTools(options: GateOptions): Promise<GateOutcome> {
  reportRun();
  const turn = checkedTurn(options, workflowInfo().workflowId);
  const sorted = await sortedCalls(turn);
  const handlings = sorted.map(({ handling }) => handling);
  const proposed = groupsOf(handlings, turn.grouping).map((indexes) =>
    proposedGroup(turn, sorted, indexes),
  );
  const groups = proposed.filter(({ proposal }) => checkProposal(proposal).ok);
  const snapshot = groups.length === 0 ? undefined : snapshotOf(turn, groups);
  const run = new TurnRun(turn, sorted);
  for (const group of proposed) if (!groups.includes(group)) run.refuse(group);
  const isHeld = groups.length > 0 && holdsUngated(handlings, turn.grouping);
  if (!isHeld) run.startUngated(run.ungated);
  if (snapshot !== undefined) {
    const opening = saved(turn, snapshot);
    for (const group of groups) run.startGroup(group, opening, isHeld ? run.ungated : []);
  }
  return run.outcome();
}

/** The size is checked before anything runs. */
function snapshotOf(turn: Turn, groups: readonly Group[]): StoredSnapshot {
  const { agent, run_id, turn_index, working_memory } = turn;
  const proposals = groups.map(({ proposal }) => proposal);
  const event_position = workflowInfo().historyLength;
  const fields = { agent, run_id, turn_index, event_position, working_memory, proposals };
  return demand(takeSnapshot(fields));
}

/** Stores the state of the agent before it waits; returns the values that its approvals need. */
async function saved(
  { run_id, turn_index, space }: Turn,
  snapshot: StoredSnapshot,
): Promise<Opening> {
  const saving = refusalOrResult(saveSnapshot(snapshot, space));
  const { saved_at, log_key, notes_mutations } = await saving;
  noteTurn({ run_id, turn_index, snapshot_hash: snapshot.hash });
  return { asked_at: saved_at, log_key, ...defined({ notes_mutations }) };
}

function proposedGroup(turn: Turn, sorted: readonly Sorted[], indexes: readonly number[]): Group {
  const members = indexes.flatMap((index) => {
    const member = sorted[index];
    return member?.handling.kind === 'gate'
      ? [{ call: member.call, gate: member.handling.gate }]
      : [];
  });
  return groupOf(
    turn,
    members.map(({ call }) => call),
    members.map(({ gate }) => gate),
  );
}
