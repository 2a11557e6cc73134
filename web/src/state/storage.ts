import { createStore, useStore } from './store.js';

type Place = 'localStorage' | 'sessionStorage';

/** Whether the browser keeps nothing for this page, which it says by an exception. */
const blocked = createStore(false);

/** Whether what is typed ends with the page: a reload would lose it. */
export function useStorageBlocked(): boolean {
  return useStore(blocked);
}

/** A value that survives a reload where the browser allows that, and else lives as long as the page. */
export interface Kept {
  readonly get: (name: string) => string | undefined;
  readonly set: (name: string, text: string) => void;
  readonly remove: (name: string) => void;
  readonly names: () => readonly string[];
}

/** What a browser keeps, by name. With cookies or storage blocked, or with no room left, memory stands in for it. */
export function keptIn(place: Place): Kept {
  const memory = new Map<string, string>();
  // Where cookies are blocked, to name it is enough to throw.
  function tried<T>(use: (storage: Storage) => T, otherwise: T): T {
    try {
      return use(window[place]);
    } catch {
      blocked.set(true);
      return otherwise;
    }
  }
  return {
    get: (name) => memory.get(name) ?? tried((storage) => storage.getItem(name), null) ?? undefined,
    set(name, text) {
      const isKept = tried((storage) => {
        storage.setItem(name, text);
        return true;
      }, false);
      if (isKept) memory.delete(name);
      else memory.set(name, text);
    },
    remove(name) {
      memory.delete(name);
      tried((storage) => {
        storage.removeItem(name);
      }, undefined);
    },
    names: () => [...memory.keys(), ...tried((storage) => Object.keys(storage), [])],
  };
}

/** What lives as long as this tab. */
export const tabStorage = keptIn('sessionStorage');

/** What stays in this browser. */
export const browserStorage = keptIn('localStorage');
