import { Awaited } from './awaited.js';
import type { Clock } from './clock.js';

/** The versions that the store has of these ids. */
export type StoredVersions = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** The versions of tasks or plans that this replica wrote, for lists of them. */
export class Versions extends Awaited<number> {
  constructor(clock: Clock, stored: StoredVersions) {
    super(clock, async (wanted) => {
      const shown = await stored([...wanted.keys()]);
      return [...wanted].flatMap(([id, version]) => ((shown.get(id) ?? 0) < version ? [id] : []));
    });
  }
}
