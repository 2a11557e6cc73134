import type { WantedApproval } from '../../../store/queries/approval.js';
import type { WantedStage } from '../subscription/subscriptions.js';
import type { WantedState } from '../suspension/inbox.js';
import type { Position } from './consistency.js';
import { WriteMemory } from './write-memory.js';

/** What this process wrote in all spaces and the store may not show yet. */
export type Memories = ReturnType<typeof createMemories>;

export function createMemories() {
  return {
    logs: new WriteMemory<Position>(),
    questions: new WriteMemory<WantedState>(),
    approvals: new WriteMemory<WantedApproval>(),
    tasks: new WriteMemory<number>(),
    plans: new WriteMemory<number>(),
    subscriptions: new WriteMemory<WantedStage>(),
  };
}

/** The same of one space. */
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
