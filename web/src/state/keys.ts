import { useEffect, useRef } from 'react';
import { hasSingleKeys } from './settings.js';

/** The action of each key. A key with Ctrl or ⌘ is written `Mod+Enter`. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Elements in which a letter is text. In a select list it chooses. */
const WRITTEN_INTO =
  'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])';
const TEXT_INPUT = `select, ${WRITTEN_INTO}`;

/** Elements that Enter presses or opens by itself. */
const PRESSABLE = 'a, button, summary, input, select, [role=button]';
/** How long no key decides anything after a key has brought a question into view. */
const SETTLING_MS = 300;
/** Keys that decide nothing, and so are never held back. */
const HARMLESS = ['j', 'k', 'Escape', 'Tab'];

/**
 * Holds all keys back for a moment, because an unread question has replaced another one: a key for the other one must
 * not answer it. Text in a field of the new one is never held back.
 */
export function holdKeysBack(): void {
  const stop = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey } = event;
    // Ctrl R, for example, is a key of the browser.
    if (HARMLESS.includes(key) || ((ctrlKey || metaKey) && key !== 'Enter')) return;
    const isWritten = key.length === 1 || key === 'Backspace';
    // A link decides nothing: it leads to another question.
    const harmless = isWritten ? WRITTEN_INTO : key === 'Enter' ? 'a' : undefined;
    if (harmless && event.target instanceof Element && event.target.matches(harmless)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', stop, true);
  setTimeout(() => {
    window.removeEventListener('keydown', stop, true);
  }, SETTLING_MS);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TEXT_INPUT);
}

/** Whether a dialog covers the page, with keys of its own. */
function isCovered(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}

function nameOf(event: KeyboardEvent): string {
  return event.ctrlKey || event.metaKey ? `Mod+${event.key}` : event.key;
}

/** Whether somebody types into a field outside of an answer, where the focus must stay. */
export function isTypingElsewhere(): boolean {
  return isOfOther(document.activeElement);
}

/** Whether somebody types, or has a dialog open, and should not be taken to another page. */
export function isOccupied(): boolean {
  return isTyping(document.activeElement) || isCovered();
}

/** Marks the element with the fields of an answer. The key that sends works there, and outside of all fields. */
export const SENDS = { 'data-sends': '' } as const;

/** Whether a field belongs to something other than the answer, such as a comment or a search. */
function isOfOther(target: EventTarget | null): boolean {
  return isTyping(target) && target instanceof Element && !target.closest('[data-sends]');
}

function isMeant(event: KeyboardEvent, name: string): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing || isCovered()) return false;
  if (name.startsWith('Mod+')) return !isOfOther(event.target);
  if (isTyping(event.target)) return name === 'Escape';
  if (name === 'Enter')
    return !(event.target instanceof Element && event.target.closest(PRESSABLE));
  return name.length > 1 || hasSingleKeys();
}

/** Takes the focus out of a field, so that Esc leaves the field before the page. Returns whether a field had the focus. */
export function leaveField(): boolean {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || !active.matches('input, textarea, select')) return false;
  active.blur();
  return true;
}

/**
 * Binds keys while the component is shown. Single keys do nothing while somebody types, or if they are switched off.
 *
 * @param repeats - whether a held key counts as many presses; by default it counts once, because it must not confirm
 * what it has sent, nor decide about the next question
 */
export function useKeys(keys: Keys, repeats = false): void {
  const latest = useRef({ keys, repeats });
  useEffect(() => {
    latest.current = { keys, repeats };
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const name = nameOf(event);
      const run = latest.current.keys[name];
      // A focused element may stop Enter, so a key with Ctrl is handled in the capturing phase.
      const isCapturing = event.eventPhase === Event.CAPTURING_PHASE;
      if (run === undefined || isCapturing !== name.startsWith('Mod+')) return;
      if (event.repeat && !latest.current.repeats) return;
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
