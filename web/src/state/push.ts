import { api } from '../api/calls.js';
import { settingsNow } from './settings.js';

/** The path of all pages of the inbox, which is the scope of the service worker. */
export const INBOX = '/inbox';

/** Whether this browser has service workers here: a page over plain HTTP has none. */
export function hasWorkers(): boolean {
  return 'serviceWorker' in navigator;
}

/** Closes the visible notifications, before somebody else uses the browser. */
export async function closeNotices(): Promise<void> {
  if (!hasWorkers()) return;
  const registration = await navigator.serviceWorker.getRegistration(INBOX);
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** Whether this browser can get pushes while it is closed. On an iPhone only the installed page can. */
export function hasPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window;
}

/** Starts pushes about questions to this browser. Throws what the browser or the API refuses. */
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

export async function stopPush(): Promise<void> {
  await api.endPush();
  await leavePush();
}

/** Ends the browser's subscription, whoever made it: its push service then refuses further pushes. */
export async function leavePush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(INBOX);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Renews the pushes after signing in, because subscriptions end with their session. It never rejects.
 * @param isChanged - whether only a browser with pushes is meant, whose settings have changed
 */
export async function goOnWithPush(isChanged = false): Promise<void> {
  try {
    const { public_key, subscribed } = await api.push();
    if (public_key !== null && subscribed === isChanged) await startPush(public_key);
  } catch {
    // The settings then show that it is off.
  }
}
