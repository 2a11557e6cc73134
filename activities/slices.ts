import type { Look } from './look.js';
import type { Place } from './ports/reconciliation.js';

/** A part of a look: works through pages, and resolves with whether it came to the end of them. */
export type Stage = (look: Look) => Promise<boolean>;

/** A part of a look that goes through pages. It ends early, between two pages, once the time of the slice is over. */
export function pageByPage<P>(
  pages: (place: Place) => AsyncIterable<readonly P[]>,
  work: (page: readonly P[]) => Promise<void>,
): Stage {
  return async (look) => {
    for await (const page of pages(look)) {
      if (look.isOver) return false;
      look.goOn();
      await work(page);
      look.worked();
    }
    return true;
  };
}

/** A part of a look that is one piece of work. */
export function atOnce(work: () => Promise<void>): Stage {
  return async (look) => {
    look.goOn();
    await work();
    return true;
  };
}

/** Goes on with a look from where it came to. Resolves with whether it came to its end. */
export async function goThrough(stages: readonly Stage[], look: Look): Promise<boolean> {
  for (const stage of stages.slice(look.stage)) {
    if (look.isOver || !(await stage(look))) return false;
    look.nextStage();
  }
  return true;
}
