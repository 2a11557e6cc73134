import { createStore, useStore } from './store.js';

/** Whether the browser refuses to store anything for this page, and throws. */
const blocked = createStore(false);

export function useStorageBlocked(): boolean {
  return useStore(blocked);
}

/** Keeps texts by their names. If storage is blocked or full, it keeps them in memory, and a reload loses them. */
function keptIn(place: 'localStorage' | 'sessionStorage') {
  const memory = new Map<string, string>();
  // If cookies are blocked, even naming the storage throws.
  function tried<T>(use: (storage: Storage) => T, otherwise: T): T {
    try {
      return use(window[place]);
    } catch {
      blocked.set(true);
      return otherwise;
    }
  }
  return {
    get: (name: string) =>
      memory.get(name) ?? tried((storage) => storage.getItem(name), null) ?? undefined,
    set(name: string, text: string) {
      const isKept = tried((storage) => {
        storage.setItem(name, text);
        return true;
      }, false);
      if (isKept) memory.delete(name);
      else memory.set(name, text);
    },
    remove(name: string) {
      memory.delete(name);
      tried((storage) => {
        storage.removeItem(name);
      }, undefined);
    },
    names: () => [...memory.keys(), ...tried((storage) => Object.keys(storage), [])],
  } as const;
}

/** Keeps texts as long as this tab lives. */
export const tabStorage = keptIn('sessionStorage');

/** Keeps texts in this browser. */
export const browserStorage = keptIn('localStorage');
