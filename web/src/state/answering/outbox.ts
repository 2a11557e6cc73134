import { useEffect } from 'react';
import { WRITING, type Pressed } from '../phase.js';
import { createStore, useStore } from '../store.js';

/**
 * Sends a held answer. Resolves to whether it was accepted.
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
 * @param name - of what it answers, by which it can be withdrawn
 */
export function holdBack(name: string, ms: number, send: Send): void {
  takeBack(name);
  const timer = setTimeout(() => {
    sendNow(name);
  }, ms);
  unsent.set(name, { send, timer });
}

/** Withdraws an answer that was not sent yet. */
export function takeBack(name: string): void {
  clearTimeout(unsent.get(name)?.timer);
  unsent.delete(name);
}

/** Sends a held answer at once. */
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

/** Sends all held answers. Resolves to whether all were accepted, once the replies are there. */
export async function sendAll(): Promise<boolean> {
  sendEach(false);
  return (await Promise.all(underway)).every(Boolean);
}

/** Discards all held answers, because their sender has signed out. */
export function discardUnsent(): void {
  for (const name of [...unsent.keys()]) takeBack(name);
}

// A phone may end a hidden page without any further event.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendEach(true);
});
window.addEventListener('pagehide', () => {
  sendEach(true);
});

const pressed = createStore<ReadonlyMap<string, Pressed>>(new Map());
const inView = new Set<string>();

export function usePressed(id: string): Pressed {
  return useStore(pressed).get(id) ?? WRITING;
}

export function setPressed(id: string, next: Pressed): void {
  const all = new Map(pressed.get());
  if (next.at === 'writing') all.delete(id);
  else all.set(id, next);
  pressed.set(all);
}

/** Whether the page shows what happens to an answer to this question. */
export function isInView(id: string): boolean {
  return inView.has(id);
}

/** Forgets all states, because another person uses the page. */
export function discardPressed(): void {
  pressed.set(new Map());
}

/**
 * Sends the answer to a question when somebody leaves its page, and forgets the page's state. An answer under way is
 * kept: its page comes back if it is refused.
 */
export function useView(id: string): void {
  useEffect(() => {
    inView.add(id);
    return () => {
      inView.delete(id);
      sendNow(id);
      if (pressed.get().get(id)?.at !== 'sending') queueMicrotask(() => forget(id));
    };
  }, [id]);
}

function forget(id: string): void {
  if (!isInView(id)) setPressed(id, WRITING);
}
