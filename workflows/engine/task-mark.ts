import { upsertMemo } from '@temporalio/workflow';

/** The memo field with the number of marked tasks of a run. */
const MARKED = 'tasks_marked';

/**
 * Whether the task has added to a log, and how many tasks were marked; per workflow, because workflows share this
 * module (docs/adr/0058).
 */
const ADDED = Symbol('added');
const UPDATING = Symbol('updating');
const COUNT = Symbol('count');
// eslint-disable-next-line no-restricted-globals -- nothing is read here but what this module has put there
const own = globalThis as { [ADDED]?: boolean; [UPDATING]?: boolean; [COUNT]?: number };

/** Records that something was added to a log, with the time of the task. */
export function addedToLog(): void {
  if (!own[UPDATING]) own[ADDED] = true;
}

/** Handles an Update. Its task needs no mark, because the acceptance of the Update is a command. */
export function takingUpdate<T>(take: () => T): T {
  own[UPDATING] = true;
  try {
    return take();
  } finally {
    own[UPDATING] = false;
  }
}

/** Whether the task may need a mark. */
export function mayNeedMark(): boolean {
  return own[ADDED] ?? false;
}

/**
 * Leaves a command in a task that has added to a log and leads to none, because a write is under way. In a replay the
 * SDK joins a task without a command with an empty one after it, such as a refused Update can leave, and gives both
 * the time of the later one. What was added would then have another time, and another hash, than in the store
 * (docs/adr/0100).
 *
 * @param isOwn - whether the task leads to another command, or nothing is under way that delays one
 */
export function markTask(isOwn: boolean): void {
  if (!mayNeedMark()) return;
  own[ADDED] = false;
  if (isOwn) return;
  own[COUNT] = (own[COUNT] ?? 0) + 1;
  upsertMemo({ [MARKED]: own[COUNT] });
}
