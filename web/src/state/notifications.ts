/** Where all pages of the inbox are, which the service worker looks after. */
export const INBOX = '/inbox';

/** Whether this browser has service workers here: a page from plain HTTP has none. */
export function hasWorkers(): boolean {
  return 'serviceWorker' in navigator;
}

/** Takes the notifications away that this browser still shows, before somebody else uses it. */
export async function closeNotices(): Promise<void> {
  if (!hasWorkers()) return;
  const registration = await navigator.serviceWorker.getRegistration(INBOX);
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}
