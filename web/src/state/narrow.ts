import { createStore, useStore } from './store.js';

const query = window.matchMedia('(max-width: 719px)');

const narrow = createStore(query.matches, () => {
  const changed = () => {
    narrow.set(query.matches);
  };
  changed();
  query.addEventListener('change', changed);
  return () => {
    query.removeEventListener('change', changed);
  };
});

/** Whether the page is a single column, as on a phone. */
export function isNarrow(): boolean {
  return query.matches;
}

/** The same in a component, which is drawn anew when it changes. */
export function useNarrow(): boolean {
  return useStore(narrow);
}
