import { useState } from 'react';
import { api } from '../api/calls.js';
import { refusalIn } from '../api/http.js';
import type { Sendable } from '../api/types.js';
import type { LinkView } from '../../../contracts/channel/links.js';
import { askedBefore, confirmed, holderIn } from './claims.js';
import type { Asking } from './claims.js';

/** How far an answer by a link has come. */
export type LinkPhase =
  | { readonly at: 'writing'; readonly error?: unknown }
  | Asking<Sendable>
  | { readonly at: 'sending' }
  | { readonly at: 'counted'; readonly approvals: number; readonly required: number }
  | { readonly at: 'settled' }
  | { readonly at: 'handed_over' };

/** Sends the answer of a link, which works once, and keeps its result. */
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
