import type { Checkpoint, CheckpointLeaf } from '../../contracts/log/checkpoint.js';
import type { WebhookSender } from '../channels/webhook/sender.js';

/** Checkpoints, bound to the store and to the key that signs. */
export interface CheckpointWork {
  /** Signs the next one; undefined without a key. Calls `goOn` from time to time, which throws to end the work. */
  readonly sign: (goOn: () => void) => Promise<TakenCheckpoint | undefined>;
  /** Undefined if every one was delivered there. */
  readonly firstUndelivered: (place: CheckpointPlace) => Promise<Checkpoint | undefined>;
  readonly noteDelivered: (number: number, place: CheckpointPlace, at: string) => Promise<void>;
  /** Adds a line to the end of the configured file, and waits until the disk has it. */
  readonly append: (file: string, line: string) => Promise<void>;
  /** Posts to the configured webhook. */
  readonly post: WebhookSender;
}

/** A place that checkpoints are delivered to: the configured file, or the webhook. */
export type CheckpointPlace = 'file' | 'webhook';

/** A signed checkpoint, and the logs that do not continue what an earlier one says of them. */
export interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The first hundred. */
  readonly broken: readonly Pick<CheckpointLeaf, 'kind' | 'id'>[];
}
