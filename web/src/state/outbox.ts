/**
 * Sends an answer that was held back. Resolves to whether it was taken.
 *
 * @param isLast - whether the page is being closed, so that the request has to outlive it
 */
type Send = (isLast: boolean) => Promise<boolean>;

interface Unsent {
  readonly send: Send;
  readonly timer: ReturnType<typeof setTimeout>;
}

const unsent = new Map<string, Unsent>();
const underway = new Set<Promise<boolean>>();

/**
 * Holds an answer back for a while, and then sends it.
 *
 * @param name - of what it answers, by which it can be taken back
 */
export function holdBack(name: string, ms: number, send: Send): void {
  takeBack(name);
  const timer = setTimeout(() => {
    sendNow(name);
  }, ms);
  unsent.set(name, { send, timer });
}

/** Takes an answer back that was not sent yet. */
export function takeBack(name: string): void {
  clearTimeout(unsent.get(name)?.timer);
  unsent.delete(name);
}

/** Sends an answer at once that was held back. */
export function sendNow(name: string, isLast = false): void {
  const found = unsent.get(name);
  if (!found) return;
  takeBack(name);
  const sent = found.send(isLast);
  underway.add(sent);
  void sent.finally(() => underway.delete(sent));
}

function sendEach(isLast: boolean): void {
  for (const name of [...unsent.keys()]) sendNow(name, isLast);
}

/** Sends all that is held back. Resolves to whether all of it was taken, once the replies are there. */
export async function sendAll(): Promise<boolean> {
  sendEach(false);
  return (await Promise.all(underway)).every(Boolean);
}

/** Discards all that is held back, for its sender has left. */
export function discardUnsent(): void {
  for (const name of [...unsent.keys()]) takeBack(name);
}

// A phone may end a page that nobody sees, and tells it no more than that it is hidden.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendEach(true);
});
window.addEventListener('pagehide', () => {
  sendEach(true);
});
