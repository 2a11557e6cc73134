import { useEffect } from 'react';
import { sendNow } from './outbox.js';
import { WRITING } from './phase.js';
import type { Pressed } from './phase.js';
import { createStore, useStore } from './store.js';

const pressed = createStore<ReadonlyMap<string, Pressed>>(new Map());
/** The questions that are in view. */
const inView = new Set<string>();

/** Returns the state of the last press of a button on the page of a question. */
export function usePressed(id: string): Pressed {
  return useStore(pressed).get(id) ?? WRITING;
}

export function setPressed(id: string, next: Pressed): void {
  const all = new Map(pressed.get());
  if (next.at === 'writing') all.delete(id);
  else all.set(id, next);
  pressed.set(all);
}

/** Whether somebody sees what becomes of an answer to this question. */
export function isInView(id: string): boolean {
  return inView.has(id);
}

/** Forgets all of it, because another person uses the page. */
export function discardPressed(): void {
  pressed.set(new Map());
}

/**
 * Sends the answer to a question when somebody leaves its page, and forgets what the page has said about it. An answer that is
 * under way is not forgotten: its page comes back if it is refused.
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
