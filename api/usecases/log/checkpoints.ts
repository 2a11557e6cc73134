import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type {
  Checkpoint,
  CheckpointLeaf,
  CheckpointList,
} from '../../../contracts/log/checkpoint.js';
import { TASK_QUEUE, UPKEEP } from '../../../contracts/constants/names.js';
import {
  findCheckpoint,
  latestCheckpoint as storedLatest,
  leavesOf,
  listCheckpoints as stored,
  type AfterLog,
} from '../../../store/queries/checkpoint.js';
import { eventsInOrder } from '../../../store/queries/event-log.js';
import { timelineEvents } from '../../../store/queries/suspension.js';
import type { UpkeepInput } from '../../../workflows/upkeep/messages.js';
import type { Page } from '../../parts/caller.js';
import { callTemporal } from '../../parts/calls/call.js';
import { DeadlinePassed, WRITE_MS, limitOf } from '../../parts/calls/deadline.js';
import { isPassing } from '../../parts/calls/failures.js';
import type { FromStore } from '../../parts/reads/from-store.js';
import { wholeLog } from '../../parts/reads/whole-log.js';
import { refused, writeUnavailable } from '../../parts/refusals.js';
import { START, useCase, type Call } from '../usecase.js';

/** The most leaves in memory at once. */
const LEAVES = 500;

/** All logs that a checkpoint covers, line by line. */
export interface WholeExport {
  readonly checkpoint: Checkpoint;
  readonly lines: AsyncIterable<object>;
}

const STORE_READ = ['checkpoint_not_found', 'store_unavailable'] as const;

/** Signs a checkpoint over all logs now. Requests that come while one is being signed get that one. */
export const requestCheckpoint = useCase({
  name: 'requestCheckpoint',
  resource: 'server',
  refusals: ['checkpoints_not_configured', ...START],
  async run({ parts: { client, clock, whole } }: Call): Promise<Checkpoint> {
    const input: UpkeepInput = { work: 'checkpoint' };
    const sign = () =>
      client.workflow.execute<(input: UpkeepInput) => Promise<Checkpoint>>(UPKEEP.type, {
        workflowId: UPKEEP.requested,
        taskQueue: TASK_QUEUE,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'signs a checkpoint on request',
      });
    const ms = limitOf(clock, 'worker', WRITE_MS);
    try {
      return await whole.admission.run(undefined, () =>
        callTemporal(client, clock, { ms, retryOn: isPassing, rpc: sign }),
      );
    } catch (error) {
      throw refusalOf(error);
    }
  },
});

export const listCheckpoints = useCase({
  name: 'listCheckpoints',
  resource: 'server',
  refusals: ['store_unavailable'],
  run: ({ parts }: Call, page: Page): Promise<CheckpointList> =>
    parts.whole.fromStore(stored, page),
});

export const latestCheckpoint = useCase({
  name: 'latestCheckpoint',
  resource: 'server',
  refusals: STORE_READ,
  run: newest,
});

/** Exports all logs that a checkpoint covers, by default the newest one, with whole ids of questions. */
export const exportLogs = useCase({
  name: 'exportLogs',
  resource: 'server',
  refusals: STORE_READ,
  async run(call: Call, number?: number): Promise<WholeExport> {
    const checkpoint = await (number === undefined ? newest(call) : numbered(call, number));
    return { checkpoint, lines: linesOf(call.parts.whole.fromStore, checkpoint) };
  },
});

async function newest({ parts }: Call): Promise<Checkpoint> {
  const checkpoint = await parts.whole.fromStore(storedLatest);
  if (checkpoint) return checkpoint;
  throw refused('checkpoint_not_found', 'No checkpoint has been signed yet.');
}

async function numbered({ parts }: Call, number: number): Promise<Checkpoint> {
  const checkpoint = await parts.whole.fromStore(findCheckpoint, number);
  if (checkpoint) return checkpoint;
  throw refused('checkpoint_not_found', `There is no checkpoint ${number}.`);
}

/** Reads what a checkpoint covers: its list of leaves, and then each log. */
async function* linesOf(fromStore: FromStore, { number }: Checkpoint): AsyncGenerator<object> {
  for await (const leaf of leaves(fromStore, number)) yield { leaf };
  for await (const leaf of leaves(fromStore, number)) {
    if (leaf.removed) continue;
    yield* eventsOf(fromStore, leaf);
    yield { end_of_log: leaf };
  }
}

async function* leaves(fromStore: FromStore, number: number): AsyncGenerator<CheckpointLeaf> {
  for (let after: AfterLog; ;) {
    const page = await fromStore(leavesOf, number, after, LEAVES);
    yield* page;
    if (page.length < LEAVES) return;
    after = page.at(-1);
  }
}

const eventsOf = (
  fromStore: FromStore,
  { kind, id, sequence: upTo }: CheckpointLeaf,
): AsyncGenerator<object> =>
  kind === 'suspension'
    ? wholeLog(fromStore, timelineEvents, id, upTo)
    : wholeLog(fromStore, eventsInOrder, id, upTo);

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
