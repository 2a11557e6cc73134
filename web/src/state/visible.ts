import { isBlank, visible, visibleJson } from '../../../contracts/constants/visible-text.js';

export { isBlank, visible };

/** What somebody meant who typed into a text that was made visible: the characters in place of their codes. */
export function meant(typed: string): string {
  return typed.replaceAll(/\[U\+([0-9A-F]{4,5})\]/g, (code, digits: string) => {
    const character = String.fromCodePoint(Number.parseInt(digits, 16));
    // What chooses a form is marked after a letter, and not alone.
    return visible(`a${character}`) === `a${code}` ? character : code;
  });
}

/** A value as it is shown and edited: JSON in which such characters are escaped, so that it stays the same value. */
export function pretty(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2));
}
