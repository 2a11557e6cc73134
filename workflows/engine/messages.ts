import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Announced } from '../../contracts/announcement.js';
import type { TaskNews } from '../../contracts/task.js';

/** To an intent, a portfolio or a task: send this workflow (its id) what you are now, and after every change. */
export const observeSignal = defineSignal<[observer: string]>('observe');

/** To the same: send this workflow nothing more. */
export const unobserveSignal = defineSignal<[observer: string]>('unobserve');

/** From an intent or a portfolio to an observer. */
export const announcementSignal = defineSignal<[Announced]>('announcement');

/** From a task to an observer. */
export const newsSignal = defineSignal<[TaskNews]>('news');

/** To a question or an intent: write the rows that wait for others, who could not write them. */
export const writeSignal = defineSignal('write');

/** What something was created with, under an Idempotency-Key. */
export interface Created {
  /** Hash of the creating body, to recognise the same request. */
  readonly creation_hash?: string;
}

/** To a task, a coordinator or a subscription. */
export const creationQuery = defineQuery<Created>('creation');

/** By what a write is recognised that is sent again: the Idempotency-Key of its request, and the request itself. */
export interface Once {
  /** A hash of the sender, its key, and what the write is. */
  readonly key: string;
  readonly body_hash: string;
}

/** What an Update is sent with, where its sender may send it again. */
export interface Repeatable {
  readonly once?: Once;
}

/** What a write under a key results in: Temporal returns it to whatever comes under the key. */
export interface Under<Result> {
  /** The hash of the body that was carried out. */
  readonly body_hash: string;
  readonly result: Result;
}

/** What a log is started with. */
export interface LogStart {
  /**
   * The key of the log's salts: random, and made outside the workflow, because whoever knows a run's id can
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

/** To an intent or a portfolio. How far its log has come: a list read waits until the store has come as far. */
export const positionQuery = defineQuery<LogPosition>('position');
