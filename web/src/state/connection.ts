import type { SuspensionChange } from '../../../contracts/suspension/view.js';
import { refusalOf, type RefusedError } from '../api/http.js';
import { createStore, useStore } from './store.js';

/**
 * The state of the connection. `restored` follows `lost` for a while, so that people see it. `refused`: the API does
 * not let this person follow changes.
 */
type Connection = 'connecting' | 'live' | 'lost' | 'restored' | 'refused';

const STREAM = '/v1/suspensions/subscribe';

const SHOWN_MS = 10_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const UNAUTHENTICATED = 401;
const FORBIDDEN = 403;

const connection = createStore<Connection>('connecting');
const refusal = createStore<RefusedError | undefined>(undefined);

export function useConnection(): Connection {
  return useStore(connection);
}

/** Returns why changes cannot be followed while the connection is `refused`. */
export function useStreamRefusal(): RefusedError | undefined {
  return useStore(refusal);
}

interface Follower {
  /** A question changed: it was asked, claimed, answered, or something else happened to it. */
  readonly changed: (change: SuspensionChange) => void;
  /**
   * Changes may have been missed, so everything has to be read again. This is also called when the first stream
   * opens, because the page was read before.
   */
  readonly missed: () => void;
}

/**
 * Follows the changes of all questions that the caller may see, and reconnects by itself. Returns a function that
 * ends it.
 */
export function follow(follower: Follower): () => void {
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
      follower.changed(JSON.parse(event.data) as SuspensionChange);
    });
    source.addEventListener('reset', follower.missed);
  };
  const opened = () => {
    waitMs = FIRST_WAIT_MS;
    refusal.set(undefined);
    const wasLost = connection.get() === 'lost';
    connection.set(wasLost ? 'restored' : 'live');
    follower.missed();
    if (!wasLost) return;
    clearTimeout(settle);
    settle = setTimeout(() => {
      if (connection.get() === 'restored') connection.set('live');
    }, SHOWN_MS);
  };
  const failed = () => {
    connection.set('lost');
    // The browser retries by itself, but not after a refusal, whose reason it does not reveal.
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

/** Whether trying again cannot help: a new session follows anew, and a person without the right stays without it. */
function isFinal(reason: RefusedError | undefined): boolean {
  const status = reason?.problem.status;
  if (status === FORBIDDEN) {
    refusal.set(reason);
    connection.set('refused');
  }
  return status === UNAUTHENTICATED || status === FORBIDDEN;
}
