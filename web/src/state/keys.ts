import { useEffect, useRef } from 'react';
import { hasSingleKeys } from './settings.js';

/** What a key does. A key with Ctrl or ⌘ is written `Mod+Enter`. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const TEXT_INPUT =
  'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])';

/** Whether somebody is typing, so that a letter is a letter. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TEXT_INPUT);
}

/** Whether something lies over the page. It has its own keys. */
function isCovered(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}

function nameOf(event: KeyboardEvent): string {
  return event.ctrlKey || event.metaKey ? `Mod+${event.key}` : event.key;
}

/** Marks what holds the fields of an answer: only from there, or from outside of any field, does a key send it. */
export const SENDS = { 'data-sends': '' } as const;

/** Whether a field is one of something else than the answer, such as of a comment or a search. */
function isOfOther(target: EventTarget | null): boolean {
  return isTyping(target) && target instanceof Element && !target.closest('[data-sends]');
}

function isMeant(event: KeyboardEvent, name: string): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing || isCovered()) return false;
  // A key that is held down is one press: what asks once more is not answered by the same one.
  if (name.startsWith('Mod+')) return !event.repeat && !isOfOther(event.target);
  if (isTyping(event.target)) return name === 'Escape';
  return name.length > 1 || hasSingleKeys();
}

/** Takes the focus out of a field, so that Esc leaves it before it leaves the page. Returns whether there was one. */
export function leaveField(): boolean {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || !active.matches('input, textarea, select')) return false;
  active.blur();
  return true;
}

/** Binds keys while the component is shown. Single ones do nothing where somebody types, or has switched them off. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const name = nameOf(event);
      const run = latest.current[name];
      // What has the focus may keep Enter to itself, so a key with Ctrl is taken on its way there.
      const isOnItsWay = event.eventPhase === Event.CAPTURING_PHASE;
      if (run === undefined || isOnItsWay !== name.startsWith('Mod+')) return;
      if (!isMeant(event, name)) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', pressed, true);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('keydown', pressed, true);
      document.removeEventListener('keydown', pressed);
    };
  }, []);
}
