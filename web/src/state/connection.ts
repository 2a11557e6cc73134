import { createStore, useStore } from './store.js';

/** How the page stands to the API. `restored` after it was lost, until somebody has had time to see it. */
export type Connection = 'connecting' | 'live' | 'lost' | 'restored';

const SHOWN_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

const connection = createStore<Connection>('connecting');

/** How the page stands to the API. */
export function useConnection(): Connection {
  return useStore(connection);
}

/** A question changed: it was asked, reminded of, claimed, answered, … */
export interface Change {
  readonly id: string;
  readonly state: 'pending' | 'settled';
  readonly change?: string;
}

interface Told {
  readonly changed: (change: Change) => void;
  /** Changes may have been missed: what is shown has to be read anew. */
  readonly missed: () => void;
}

/**
 * Follows the changes of all questions that the caller may see, and goes on by itself after the network or the API was
 * away. Returns what ends it.
 */
export function follow(told: Told): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let settle: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;

  const open = () => {
    clearTimeout(retry);
    source?.close();
    source = new EventSource('/v1/suspensions/subscribe');
    source.addEventListener('open', opened);
    source.addEventListener('error', failed);
    source.addEventListener('suspension', (event: MessageEvent<string>) => {
      told.changed(JSON.parse(event.data) as Change);
    });
    source.addEventListener('reset', told.missed);
  };
  const opened = () => {
    waitMs = FIRST_WAIT_MS;
    const wasLost = connection.get() === 'lost';
    connection.set(wasLost ? 'restored' : 'live');
    if (!wasLost) return;
    told.missed();
    clearTimeout(settle);
    settle = setTimeout(() => {
      if (connection.get() === 'restored') connection.set('live');
    }, SHOWN_MS);
  };
  const failed = () => {
    connection.set('lost');
    // The browser tries again by itself, but not after a refusal.
    if (source?.readyState !== EventSource.CLOSED) return;
    clearTimeout(retry);
    retry = setTimeout(open, waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  };
  const offline = () => {
    connection.set('lost');
  };

  window.addEventListener('online', open);
  window.addEventListener('offline', offline);
  open();
  return () => {
    window.removeEventListener('online', open);
    window.removeEventListener('offline', offline);
    clearTimeout(retry);
    clearTimeout(settle);
    source?.close();
    connection.set('connecting');
  };
}
