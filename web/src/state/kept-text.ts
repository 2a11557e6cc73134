import { useState } from 'react';
import { DRAFTS } from './drafts.js';
import { tabStorage } from './storage.js';

type KeptText = readonly [
  text: string,
  type: (text: string) => void,
  /** Forgets the text that was sent, unless somebody has typed more since. */
  sent: (text: string) => void,
];

/**
 * Keeps a text beside an answer, such as a comment, until it is sent: it survives closing a dialog, leaving the page and a reload.
 *
 * @param name - of the field and the question
 */
export function useKeptText(name: string): KeptText {
  const place = `${DRAFTS}text:${name}`;
  const kept = () => tabStorage.get(place) ?? '';
  const [state, setState] = useState(() => ({ place, text: kept() }));
  const text = state.place === place ? state.text : kept();
  const type = (typed: string) => {
    if (typed === '') tabStorage.remove(place);
    else tabStorage.set(place, typed);
    setState({ place, text: typed });
  };
  const sent = (what: string) => {
    if (kept() === what) tabStorage.remove(place);
    setState((now) => (now.place === place && now.text === what ? { place, text: '' } : now));
  };
  return [text, type, sent];
}
