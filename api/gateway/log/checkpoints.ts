import { WorkflowFailedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Checkpoint, CheckpointLeaf, CheckpointList } from '../../../contracts/checkpoint.js';
import { TASK_QUEUE, UPKEEP } from '../../../contracts/constants/names.js';
import {
  findCheckpoint,
  latestCheckpoint,
  leavesOf,
  listCheckpoints,
} from '../../../store/queries/checkpoint.js';
import type { AfterLog } from '../../../store/queries/checkpoint.js';
import { eventsInOrder } from '../../../store/queries/event-log.js';
import { timelineEvents } from '../../../store/queries/suspension.js';
import type { UpkeepInput } from '../../../workflows/upkeep/messages.js';
import type { Page } from '../caller.js';
import type { Admission } from '../calls/admission.js';
import { callTemporal } from '../calls/call.js';
import { DeadlinePassed, WRITE_MS, limitOf } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import { isPassing } from '../calls/failures.js';
import type { FromStore } from '../reads/from-store.js';
import { wholeLog } from '../reads/whole-log.js';
import { refused, writeUnavailable } from '../refusals.js';

/** Leaves that are in memory at once. */
const LEAVES = 500;

/** All logs as a checkpoint covers them, line by line. */
export interface WholeExport {
  readonly checkpoint: Checkpoint;
  readonly lines: AsyncIterable<object>;
}

interface Deps {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly clock: Clock;
  readonly admission: Admission;
  readonly fromStore: FromStore;
}

/** Signed checkpoints over all logs, and the export that is checked against them. */
export function createCheckpoints({ client, clock, admission, fromStore }: Deps) {
  async function latest(): Promise<Checkpoint> {
    const checkpoint = await fromStore(latestCheckpoint);
    if (checkpoint === undefined) {
      throw refused('checkpoint_not_found', 'No checkpoint has been signed yet.');
    }
    return checkpoint;
  }

  async function numbered(number: number): Promise<Checkpoint> {
    const checkpoint = await fromStore(findCheckpoint, number);
    if (checkpoint) return checkpoint;
    throw refused('checkpoint_not_found', `There is no checkpoint ${number}.`);
  }

  const linesOf = createLines(fromStore);

  return {
    /** Signs a checkpoint now. Whoever asks while one is being signed gets that one. */
    async requestCheckpoint(): Promise<Checkpoint> {
      const input: UpkeepInput = { work: 'checkpoint' };
      const run = () =>
        client.workflow.execute<(input: UpkeepInput) => Promise<Checkpoint>>(UPKEEP.type, {
          workflowId: UPKEEP.requested,
          taskQueue: TASK_QUEUE,
          args: [input],
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: 'signs a checkpoint on request',
        });
      const ms = limitOf(clock, 'worker', WRITE_MS);
      try {
        return await admission.run(undefined, () =>
          callTemporal(client, clock, { ms, retryOn: isPassing, rpc: run }),
        );
      } catch (error) {
        throw refusalOf(error);
      }
    },
    latestCheckpoint: latest,
    listCheckpoints: (page: Page): Promise<CheckpointList> => fromStore(listCheckpoints, page),
    /** All logs as a checkpoint covers them, the newest if none is named. */
    async exportLogs(number?: number): Promise<WholeExport> {
      const checkpoint = await (number === undefined ? latest() : numbered(number));
      return { checkpoint, lines: linesOf(checkpoint) };
    },
  };
}

/** Reads what a checkpoint covers: the list of its leaves, and then each log. */
function createLines(fromStore: FromStore) {
  async function* leaves(number: number): AsyncGenerator<CheckpointLeaf> {
    for (let after: AfterLog; ;) {
      const page = await fromStore(leavesOf, number, after, LEAVES);
      yield* page;
      if (page.length < LEAVES) return;
      after = page.at(-1);
    }
  }

  /** The events of a log as far as the checkpoint covers it. */
  const eventsOf = ({ kind, id, sequence: upTo }: CheckpointLeaf): AsyncGenerator<object> =>
    kind === 'suspension'
      ? wholeLog(fromStore, timelineEvents, id, upTo)
      : wholeLog(fromStore, eventsInOrder, id, upTo);

  return async function* linesOf({ number }: Checkpoint): AsyncGenerator<object> {
    for await (const leaf of leaves(number)) yield { leaf };
    for await (const leaf of leaves(number)) {
      if (leaf.removed) continue;
      yield* eventsOf(leaf);
      yield { end_of_log: leaf };
    }
  };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DeadlinePassed) return writeUnavailable();
  const failure = error instanceof WorkflowFailedError ? rootOf(error) : error;
  if (!(failure instanceof ApplicationFailure)) return error;
  return failure.type === 'checkpoints_not_configured'
    ? refused('checkpoints_not_configured', 'This server has no key to sign checkpoints with.')
    : error;
}

function rootOf(error: Error): unknown {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
