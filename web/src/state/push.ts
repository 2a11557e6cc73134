import { api } from '../api/calls.js';
import { INBOX } from './notifications.js';
import { settingsNow } from './settings.js';

/** Whether this browser can be told of questions while it is closed. On an iPhone only the installed page can. */
export function hasPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window;
}

/** Has this browser told of questions, also while it is closed. Throws what the browser or the API refuses. */
export async function startPush(publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const earlier = await pushManager.getSubscription();
  const isOurs = earlier !== null && keyOf(earlier) === publicKey;
  // A subscription with another key of the server cannot be changed.
  if (earlier !== null && !isOurs) await earlier.unsubscribe();
  const subscription = isOurs
    ? earlier
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys } = subscription.toJSON();
  await api.startPush({ endpoint, keys, shows_words: settingsNow().showsWords });
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Has this browser told of nothing any more. */
export async function stopPush(): Promise<void> {
  await api.endPush();
  await leavePush();
}

/** Has the browser end its subscription, whoever made it: its push service then refuses what is still sent. */
export async function leavePush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(INBOX);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * After signing in, the browser is told again, because subscriptions end with their session. It never rejects.
 *
 * @param isChanged - whether only a browser that is told already is meant, whose settings have changed
 */
export async function goOnWithPush(isChanged = false): Promise<void> {
  try {
    const { public_key, subscribed } = await api.push();
    if (public_key !== null && subscribed === isChanged) await startPush(public_key);
  } catch {
    // The settings show that it is off.
  }
}
