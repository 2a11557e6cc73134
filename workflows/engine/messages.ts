import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Announced } from '../../contracts/graph/announcement.js';
import type { TaskNews } from '../../contracts/plan/task.js';

/** Asks an intent, a portfolio or a task to send this workflow (by its id) its state now and after every change. */
export const observeSignal = defineSignal<[observer: string]>('observe');

/** Asks an intent, a portfolio or a task to send this workflow nothing more. */
export const unobserveSignal = defineSignal<[observer: string]>('unobserve');

export const announcementSignal = defineSignal<[Announced]>('announcement');

export const newsSignal = defineSignal<[TaskNews]>('news');

/** Asks a question or an intent to write the rows that were left to others, who could not write them. */
export const writeSignal = defineSignal('write');

export interface Created {
  /** Hash of the creating body under its Idempotency-Key, to recognise a repeated request. */
  readonly creation_hash?: string;
}

/** For a task, a coordinator or a subscription. */
export const creationQuery = defineQuery<Created>('creation');

export interface Once {
  /** A hash of the sender, its key, and the name of the write. */
  readonly key: string;
  readonly body_hash: string;
}

export interface Repeatable {
  readonly once?: Once;
}

/** The result of a write under a key. Temporal returns it to every request with the key. */
export interface Under<Result> {
  readonly body_hash: string;
  readonly result: Result;
}

export interface LogStart {
  /**
   * The key of the log's salts. It is made outside the workflow, because whoever knows a run's id can compute its
   * random numbers. Without one, the payloads are committed to but not hidden.
   */
  readonly log_key?: string;
}

/** Sequence and hash of a log's newest event; 0 and null before the first. */
export interface LogEnd {
  readonly last_sequence: number;
  readonly head_hash: string | null;
}

/** How far a log has come, and up to which sequence the store has confirmed it. */
export interface LogPosition extends LogEnd {
  readonly version: number;
  readonly written_sequence: number;
}

/** The position of the log of an intent or a portfolio: reading a list waits until the store has reached it. */
export const positionQuery = defineQuery<LogPosition>('position');
