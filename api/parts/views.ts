import { toInstant } from '../../domain/kernel/time.js';
import { noteView } from '../../store/queries/question-facts.js';
import type { Background } from './calls/background.js';
import type { Clock } from './calls/deadline.js';
import type { FromStore } from './reads/from-store.js';

/** How many questions are remembered as seen; the store is asked again about the others. */
const MOST = 1_000;

interface Deps {
  readonly fromStore: FromStore;
  readonly background: Background;
  readonly clock: Clock;
  readonly space: string;
}

/**
 * Returns a function that notes when a question was first seen; readers do not wait for it. A view that cannot be
 * written is lost: the report then has a later one.
 */
export function createSeen({ fromStore, background, clock, space }: Deps) {
  const noted = new Set<string>();
  return (suspensionId: string): void => {
    if (noted.has(suspensionId)) return;
    const at = toInstant(clock.now());
    noted.add(suspensionId);
    for (const oldest of noted) {
      if (noted.size <= MOST) break;
      noted.delete(oldest);
    }
    const writing = background.add(() => fromStore(noteView, space, suspensionId, at));
    writing?.catch(() => noted.delete(suspensionId));
    if (writing === undefined) noted.delete(suspensionId);
  };
}
