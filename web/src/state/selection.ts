import type { Entry } from '../api/types.js';
import { createStore, useStore } from './store.js';

const selected = createStore<ReadonlyMap<string, Entry>>(new Map());

/** The questions that somebody has marked, to answer them together. */
export function useSelection(): ReadonlyMap<string, Entry> {
  return useStore(selected);
}

/** Marks a question, or no longer. */
export function toggleSelected(entry: Entry): void {
  const next = new Map(selected.get());
  if (!next.delete(entry.id)) next.set(entry.id, entry);
  selected.set(next);
}

/** Marks these, and no others. */
export function select(entries: readonly Entry[]): void {
  selected.set(new Map(entries.map((entry) => [entry.id, entry])));
}
