import { createStore, useStore } from './store.js';

const SIGN_IN = '#link=';

/** Takes what stands after `#` out of the address, so that it stays in no history and goes nowhere by accident. */
function takeHash(): string {
  const { hash, pathname, search } = location;
  if (hash.startsWith(SIGN_IN) || pathname.endsWith('/link')) {
    history.replaceState(null, '', pathname + search);
    return hash;
  }
  return '';
}

const hash = takeHash();

/** A one-time link that signs in; without a token once it is known that it signs nobody in any more. */
interface SignInLink {
  readonly token?: string;
}

const pending = createStore<SignInLink | undefined>(
  hash.startsWith(SIGN_IN) ? { token: hash.slice(SIGN_IN.length) } : undefined,
);

/** The one-time link with which the page was opened, until somebody is signed in or goes on without it. */
export function useSignInLink(): SignInLink | undefined {
  return useStore(pending);
}

/** Forgets the token, which works no more. That there was a link stays, until the person has read why. */
export function spendSignInLink(): void {
  pending.set({});
}

/** Forgets that there was a link. */
export function forgetSignInLink(): void {
  pending.set(undefined);
}

/**
 * What stands after `#` in the link of a message: the token, and perhaps `&choice=` with the answer that the mail names
 * beside it.
 */
function partsOf(text: string): { readonly token: string; readonly choice: string | undefined } {
  const [token = ''] = text.split('&', 1);
  const choice = new URLSearchParams(text.slice(token.length)).get('choice');
  return { token, choice: choice ?? undefined };
}

const question = partsOf(hash.startsWith(SIGN_IN) ? '' : hash.slice(1));

/** The token of a link to one question, which the page keeps only in memory. */
export const questionToken = question.token;

/** The answer that the link puts forward. It decides nothing: the page marks it, and a person sends it. */
export const linkedChoice = question.choice;
