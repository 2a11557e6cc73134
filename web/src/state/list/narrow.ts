import { createStore, useStore } from '../store.js';

/** Queries the size of the page, now or in a component, which renders again when the result changes. */
function sizeQuery(query: string) {
  const asked = window.matchMedia(query);
  const store = createStore(asked.matches, () => {
    const changed = () => {
      store.set(asked.matches);
    };
    changed();
    asked.addEventListener('change', changed);
    return () => {
      asked.removeEventListener('change', changed);
    };
  });
  return { isMet: () => asked.matches, useIsMet: () => useStore(store) } as const;
}

/** Whether the page is a single column, as on a phone. */
export const { isMet: isNarrow, useIsMet: useNarrow } = sizeQuery('(max-width: 719px)');

/** Whether a question has room beside the list. */
export const { useIsMet: useWide } = sizeQuery('(min-width: 1200px)');
