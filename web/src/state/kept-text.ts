import { useState } from 'react';
import { forgetText, keepText, keptText } from './drafts.js';

/**
 * A text while somebody types it, kept until it is sent: closing a dialog, leaving the page and a reload lose nothing.
 *
 * @param name - of the place and of what it is about
 */
export function useKeptText(name: string): readonly [string, (text: string) => void] {
  const [state, setState] = useState(() => ({ name, text: keptText(name) }));
  const text = state.name === name ? state.text : keptText(name);
  const type = (typed: string) => {
    if (typed === '') forgetText(name);
    else keepText(name, typed);
    setState({ name, text: typed });
  };
  return [text, type];
}
