import type { WantedApproval } from '../../../store/queries/approval.js';
import { WriteMemory } from './write-memory.js';

/** How far the store's log of something has to come. */
export interface Position {
  /** Undefined until its workflow has been asked. */
  sequence: number | undefined;
}

/** The state of a question that the store has to show. */
export type WantedState = 'pending' | 'settled';

/** The state of a subscription that the store has to show. */
export type WantedStage = 'begun' | 'over';

/** The writes in all spaces that the store may not show yet. */
export type Memories = ReturnType<typeof createMemories>;

export function createMemories() {
  return {
    logs: new WriteMemory<Position>('logs', furthest),
    questions: new WriteMemory<WantedState>('questions', lastOf(['pending', 'settled'])),
    approvals: new WriteMemory<WantedApproval>('approvals', laterApproval),
    tasks: new WriteMemory<number>('tasks', (earlier, later) => Math.max(earlier, later)),
    plans: new WriteMemory<number>('plans', (earlier, later) => Math.max(earlier, later)),
    subscriptions: new WriteMemory<WantedStage>('subscriptions', lastOf(['begun', 'over'])),
  };
}

/** The same of one space. */
export type SpaceMemories = ReturnType<typeof memoriesIn>;

export function memoriesIn(all: Memories, space: string) {
  return {
    logs: all.logs.in(space),
    questions: all.questions.in(space),
    approvals: all.approvals.in(space),
    tasks: all.tasks.in(space),
    plans: all.plans.in(space),
    subscriptions: all.subscriptions.in(space),
  };
}

/**
 * The further one. Where one is not known the workflow is to be asked, anew: an answer that is under way may be older than the
 * later write.
 */
function furthest(earlier: Position, later: Position): Position {
  if (later.sequence === undefined) return later;
  if (earlier.sequence === undefined) return { sequence: undefined };
  return later.sequence > earlier.sequence ? later : earlier;
}

/** Whichever comes last in this order. */
function lastOf<S>(order: readonly S[]): (earlier: S, later: S) => S {
  return (earlier, later) => (order.indexOf(later) > order.indexOf(earlier) ? later : earlier);
}

/** A decision comes last, and what is merely there first. Versions only rise. */
function laterApproval(earlier: WantedApproval, later: WantedApproval): WantedApproval {
  if (earlier === 'decided' || later === 'there') return earlier;
  const isOlder =
    typeof earlier === 'object' &&
    typeof later === 'object' &&
    'version' in earlier &&
    'version' in later &&
    earlier.version >= later.version;
  return isOlder ? earlier : later;
}
