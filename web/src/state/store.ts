import { useSyncExternalStore } from 'react';

/** A value outside of all components, which render again when it changes. */
interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

/**
 * Makes a store.
 *
 * @param watch - is called when the first component shows the value, and returns a function that is called after the last one
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

/** Returns the value of a store in a component. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
