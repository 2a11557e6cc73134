import type { Entry } from '../../api/types.js';
import { createStore, useStore } from '../store.js';

const selected = createStore<ReadonlyMap<string, Entry>>(new Map());

/** Returns the questions that somebody has selected to answer them together, by their id. */
export function useSelection(): ReadonlyMap<string, Entry> {
  return useStore(selected);
}

export function toggleSelected(entry: Entry): void {
  const next = new Map(selected.get());
  if (!next.delete(entry.id)) next.set(entry.id, entry);
  selected.set(next);
}

export function select(entries: readonly Entry[]): void {
  selected.set(new Map(entries.map((entry) => [entry.id, entry])));
}
