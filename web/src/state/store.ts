import { useSyncExternalStore } from 'react';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** A value outside of all components, which render again when it changes. */
interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

/**
 * Makes a store.
 * @param watch - called when the first component shows the value; returns a function that is called after the last
 * one
 */
export function createStore<T>(first: T, watch?: () => () => void): Store<T> {
  const readers = new Set<() => void>();
  let value = first;
  let stop: (() => void) | undefined;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const changed of readers) changed();
    },
    subscribe(changed) {
      readers.add(changed);
      if (readers.size === 1) stop = watch?.();
      return () => {
        readers.delete(changed);
        if (readers.size === 0) stop?.();
      };
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Queries that are being read for the first time, and must be read once more. */
const again = new WeakSet<Query>();

/**
 * Makes a query read again. A first read under way may be older than the change, and the library starts no other one
 * before it ends: so the query is read once more after it.
 */
export async function renew(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const reading = { queryKey, type: 'active', fetchStatus: 'fetching' } as const;
  const first = client
    .getQueryCache()
    .findAll(reading)
    .filter((query) => query.state.data === undefined && !again.has(query));
  for (const query of first) again.add(query);
  await client.invalidateQueries({ queryKey });
  for (const query of first) again.delete(query);
  if (first.length === 0) return;
  await client.invalidateQueries({ queryKey, predicate: (query) => first.includes(query) });
}

/** Reads a question, the lists and the counts again after a change of the question. */
export function renewQuestion(client: QueryClient, id: string): void {
  for (const queryKey of [['question', id], ['list'], ['counts']]) void renew(client, queryKey);
}
