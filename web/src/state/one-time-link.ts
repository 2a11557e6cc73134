import { createStore, useStore } from './store.js';
import { useState } from 'react';
import { api } from '../api/calls.js';
import { refusalIn } from '../api/http.js';
import type { Sendable } from '../api/types.js';
import type { LinkView } from '../../../contracts/channel/links.js';
import { askedBefore, confirmed, holderIn, type Asking } from './answering/acting.js';

const SIGN_IN = '#link=';

/**
 * Removes the part after `#` from the address, and returns it, so that it is in no history and is not copied by
 * accident.
 */
function takeHash(): string {
  const { hash, pathname, search } = location;
  if (hash.startsWith(SIGN_IN) || pathname.endsWith('/link')) {
    history.replaceState(null, '', pathname + search);
    return hash;
  }
  return '';
}

const hash = takeHash();

/** A one-time link that signs in. It loses its token once that is known not to work any more. */
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

/** Deletes the token, which no longer works. The page remembers the link until the person has read why. */
export function spendSignInLink(): void {
  pending.set({});
}

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

export type LinkPhase =
  | { readonly at: 'writing'; readonly error?: unknown }
  | Asking<Sendable>
  | { readonly at: 'sending' }
  | { readonly at: 'counted'; readonly approvals: number; readonly required: number }
  | { readonly at: 'settled' }
  | { readonly at: 'handed_over' };

export function useLinkAnswering(token: string, { question, person }: LinkView) {
  const [phase, setPhase] = useState<LinkPhase>({ at: 'writing' });
  const deliver = async (answer: Sendable) => {
    setPhase({ at: 'sending' });
    try {
      const answered = await api.answerByLink(token, answer);
      const { resolution, approvals = 1, required = 1 } = answered ?? {};
      if (!answered) setPhase({ at: 'handed_over' });
      else if (resolution === undefined) setPhase({ at: 'counted', approvals, required });
      else setPhase({ at: 'settled' });
    } catch (error) {
      const held = holderIn(refusalIn(error));
      setPhase(held ? { at: 'asking', answer, held } : { at: 'writing', error });
    }
  };
  return {
    phase,
    /** Sends an answer, or asks for a confirmation first. */
    send: (answer: Sendable) => {
      const asking = askedBefore(question, question, person.principal, answer);
      if (asking) setPhase(asking);
      else void deliver(answer);
    },
    confirm: () => {
      if (phase.at === 'asking') void deliver(confirmed(phase));
    },
    cancel: () => {
      setPhase({ at: 'writing' });
    },
  } as const;
}
