import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import type { GateOutcome } from '../../contracts/gate.js';
import type { StoredSnapshot } from '../../contracts/snapshot.js';
import { checkProposal } from '../../domain/approval/proposal.js';
import { takeSnapshot } from '../../domain/approval/snapshot.js';
import { groupsOf, holdsUngated } from '../../domain/approval/turn.js';
import { demand } from '../engine/handlers.js';
import { groupOf } from './asking.js';
import type { Group, Opening } from './asking.js';
import { sortedCalls, throwRefusal } from './judging.js';
import type { Sorted } from './judging.js';
import { checkedTurn } from './options.js';
import type { GateOptions, Turn } from './options.js';
import { noteTurn, reportRun } from './report.js';
import { TurnRun } from './turn-run.js';

const { saveSnapshot } = proxyActivities<Pick<Activities, 'saveSnapshot'>>({
  taskQueue: TASK_QUEUE,
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'store the snapshot of the agent',
});

/**
 * Runs the tool calls of a model's turn from the code of a workflow, those that need it once people have approved them, and
 * returns a result for each in the order of the calls (JC-21 to JC-34). Calls without a gate run at once, beside the
 * others; under `per_turn` they wait too. A rejection, or silence, is a result that the model reads. Waiting takes nothing
 * but history: the worker may die and come back days later.
 *
 * Throws an ApplicationFailure for a turn that is not in order, `secret_refused` for a prompt or context with what looks like a
 * credential, `state_too_large` for a working memory beyond 1 MB, and the
 * cancellation of its scope, which withdraws what is open.
 */
export async function gateTools(options: GateOptions): Promise<GateOutcome> {
  reportRun();
  const turn = checkedTurn(options, workflowInfo().workflowId);
  const sorted = await sortedCalls(turn);
  const lots = sorted.map(({ lot }) => lot);
  const proposed = groupsOf(lots, turn.grouping).map((indexes) =>
    proposedGroup(turn, sorted, indexes),
  );
  const groups = proposed.filter(({ proposal }) => checkProposal(proposal).ok);
  const snapshot = groups.length === 0 ? undefined : snapshotOf(turn, groups);
  const run = new TurnRun(turn, sorted);
  for (const group of proposed) if (!groups.includes(group)) run.refuse(group);
  const isHeld = groups.length > 0 && holdsUngated(lots, turn.grouping);
  if (!isHeld) run.startUngated(run.ungated);
  if (snapshot !== undefined) {
    const opening = saved(turn, snapshot);
    for (const group of groups) run.startGroup(group, opening, isHeld ? run.ungated : []);
  }
  return run.outcome();
}

/** Its size is checked before anything runs. */
function snapshotOf(turn: Turn, groups: readonly Group[]): StoredSnapshot {
  const { agent, run_id, turn_index, working_memory } = turn;
  const proposals = groups.map(({ proposal }) => proposal);
  const event_position = workflowInfo().historyLength;
  const fields = { agent, run_id, turn_index, event_position, working_memory, proposals };
  return demand(takeSnapshot(fields));
}

/** Stores what the agent is before it waits; returns what its approvals begin with. */
async function saved(
  { run_id, turn_index, space }: Turn,
  snapshot: StoredSnapshot,
): Promise<Opening> {
  try {
    const { saved_at, log_key, notes_mutations } = await saveSnapshot(snapshot, space);
    noteTurn({ run_id, turn_index, snapshot_hash: snapshot.hash });
    return { asked_at: saved_at, log_key, ...(notes_mutations && { notes_mutations }) };
  } catch (error) {
    return throwRefusal(error);
  }
}

function proposedGroup(turn: Turn, sorted: readonly Sorted[], indexes: readonly number[]): Group {
  const members = indexes.flatMap((index) => {
    const member = sorted[index];
    return member?.lot.kind === 'gate' ? [{ call: member.call, gate: member.lot.gate }] : [];
  });
  return groupOf(
    turn,
    members.map(({ call }) => call),
    members.map(({ gate }) => gate),
  );
}
