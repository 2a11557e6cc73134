import { refusalOf } from '../api/http.js';
import type { RefusedError } from '../api/http.js';
import { createStore, useStore } from './store.js';

/**
 * How the page stands to the API. `restored` after it was lost, until somebody has had time to see it; `refused` where the
 * API does not let this person follow changes.
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'restored' | 'refused';

const STREAM = '/v1/suspensions/subscribe';

const SHOWN_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

const connection = createStore<Connection>('connecting');
const refusal = createStore<RefusedError | undefined>(undefined);

/** How the page stands to the API. */
export function useConnection(): Connection {
  return useStore(connection);
}

/** Why changes cannot be followed, as long as the connection is `refused`. */
export function useStreamRefusal(): RefusedError | undefined {
  return useStore(refusal);
}

/** A question changed: it was asked, reminded of, claimed, answered, … */
export interface Change {
  readonly id: string;
  readonly state: 'pending' | 'settled';
  readonly change?: string;
}

interface Told {
  readonly changed: (change: Change) => void;
  /**
   * Changes may have been missed: what is shown, or being read, has to be read anew. Also when the first stream opens, which
   * tells nothing of what changed since the page was read.
   */
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
    source = new EventSource(STREAM);
    source.addEventListener('open', opened);
    source.addEventListener('error', failed);
    source.addEventListener('suspension', (event: MessageEvent<string>) => {
      told.changed(JSON.parse(event.data) as Change);
    });
    source.addEventListener('reset', told.missed);
  };
  const opened = () => {
    waitMs = FIRST_WAIT_MS;
    refusal.set(undefined);
    const wasLost = connection.get() === 'lost';
    connection.set(wasLost ? 'restored' : 'live');
    told.missed();
    if (!wasLost) return;
    clearTimeout(settle);
    settle = setTimeout(() => {
      if (connection.get() === 'restored') connection.set('live');
    }, SHOWN_MS);
  };
  const failed = () => {
    connection.set('lost');
    // The browser tries again by itself, but not after a refusal, whose reason it keeps to itself.
    if (source?.readyState === EventSource.CLOSED) void afterRefusal(source);
  };
  const afterRefusal = async (refused: EventSource) => {
    const reason = await refusalOf(STREAM).catch(() => undefined);
    if (source !== refused || isFinal(reason)) return;
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
    source = undefined;
    refusal.set(undefined);
    connection.set('connecting');
  };
}

/** Whether a refusal ends it: whoever signs in again begins anew, and whoever may not is let in by no further request. */
function isFinal(reason: RefusedError | undefined): boolean {
  const status = reason?.problem.status;
  if (status === FORBIDDEN) {
    refusal.set(reason);
    connection.set('refused');
  }
  return status === UNAUTHENTICATED || status === FORBIDDEN;
}
