import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Announced } from '../../contracts/graph/announcement.js';
import type { TaskNews } from '../../contracts/plan/task.js';

/** Asks an intent, a portfolio or a task to send this workflow (by its id) its state now and after every change. */
export const observeSignal = defineSignal<[observer: string]>('observe');

/** Asks it to send this workflow nothing more. */
export const unobserveSignal = defineSignal<[observer: string]>('unobserve');

/** The state of an intent or a portfolio, for an observer. */
export const announcementSignal = defineSignal<[Announced]>('announcement');

/** The state of a task, for an observer. */
export const newsSignal = defineSignal<[TaskNews]>('news');

/** Asks a question or an intent to write the rows that were left to others, who could not write them. */
export const writeSignal = defineSignal('write');

/** How something was created. */
export interface Created {
  /** Hash of the creating body under its Idempotency-Key, to recognise the same request. */
  readonly creation_hash?: string;
}

/** For a task, a coordinator or a subscription. */
export const creationQuery = defineQuery<Created>('creation');

/** Identifies a write that may be sent again. */
export interface Once {
  /** A hash of the sender, its key, and what the write is. */
  readonly key: string;
  readonly body_hash: string;
}

/** The input of an Update that its sender may send again. */
export interface Repeatable {
  readonly once?: Once;
}

/** The result of a write under a key: Temporal returns it to whatever comes under the key. */
export interface Under<Result> {
  /** The hash of the body that was carried out. */
  readonly body_hash: string;
  readonly result: Result;
}

/** The start of a log. */
export interface LogStart {
  /**
   * The key of the log's salts. It is made outside the workflow, because whoever knows a run's id can
   * compute the random numbers that are made in it. Without one, the payloads are committed to but not hidden.
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

/** How far the log of an intent or a portfolio has come: a list read waits until the store has come as far. */
export const positionQuery = defineQuery<LogPosition>('position');
