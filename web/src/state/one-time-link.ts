import { createStore, useStore } from './store.js';

const SIGN_IN = '#link=';

/** Takes the part after `#` out of the address, so that it is in no history and is not copied by accident. */
function takeHash(): string {
  const { hash, pathname, search } = location;
  if (hash.startsWith(SIGN_IN) || pathname.endsWith('/link')) {
    history.replaceState(null, '', pathname + search);
    return hash;
  }
  return '';
}

const hash = takeHash();

/** A one-time link that signs in. It has no token once it is known to sign nobody in any more. */
interface SignInLink {
  readonly token?: string;
}

const pending = createStore<SignInLink | undefined>(
  hash.startsWith(SIGN_IN) ? { token: hash.slice(SIGN_IN.length) } : undefined,
);

/** Returns the one-time link with which the page was opened, until somebody is signed in or continues without it. */
export function useSignInLink(): SignInLink | undefined {
  return useStore(pending);
}

/** Forgets the token, which no longer works. The page remembers that there was a link until the person has read why. */
export function spendSignInLink(): void {
  pending.set({});
}

/** Forgets that there was a link. */
export function forgetSignInLink(): void {
  pending.set(undefined);
}

/** Reads the part after `#` in the link of a message: the token, and perhaps `&choice=` with the answer that the mail offers. */
function partsOf(text: string): { readonly token: string; readonly choice: string | undefined } {
  const [token = ''] = text.split('&', 1);
  const choice = new URLSearchParams(text.slice(token.length)).get('choice');
  return { token, choice: choice ?? undefined };
}

const question = partsOf(hash.startsWith(SIGN_IN) ? '' : hash.slice(1));

/** The token of a link to one question, which the page keeps only in memory. */
export const questionToken = question.token;

/** The answer that the link offers. It decides nothing: the page selects it, and a person sends it. */
export const linkedChoice = question.choice;
