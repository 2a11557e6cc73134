import { useState } from 'react';
import { answerByLink } from '../api/links.js';
import type { LinkedAnswer } from '../api/links.js';
import type { LinkView } from '../../../contracts/links.js';
import { asksOnceMore } from '../../../domain/suspension/once-more.js';
import { heldByOther, holderIn } from './answering.js';
import type { Holder } from './phase.js';

/** How far an answer by a link has come. */
export type LinkPhase =
  | { readonly at: 'writing'; readonly error?: unknown }
  /** It waits for a second yes: it cannot be undone, or somebody else has claimed the question. */
  | { readonly at: 'asking'; readonly answer: LinkedAnswer; readonly held: Holder | undefined }
  | { readonly at: 'sending' }
  | { readonly at: 'counted'; readonly approvals: number; readonly required: number }
  | { readonly at: 'settled' }
  | { readonly at: 'handed_over' };

/** Sends the answer of a link, which works once, and keeps what became of it. */
export function useLinkAnswering(token: string, { question, person }: LinkView) {
  const [phase, setPhase] = useState<LinkPhase>({ at: 'writing' });
  const deliver = async (answer: LinkedAnswer) => {
    setPhase({ at: 'sending' });
    try {
      const answered = await answerByLink(token, answer);
      const { resolution, approvals = 1, required = 1 } = answered ?? {};
      if (!answered) setPhase({ at: 'handed_over' });
      else if (resolution === undefined) setPhase({ at: 'counted', approvals, required });
      else setPhase({ at: 'settled' });
    } catch (error) {
      const held = holderIn(error);
      setPhase(held ? { at: 'asking', answer, held } : { at: 'writing', error });
    }
  };
  return {
    phase,
    /** Sends an answer, or first asks once more. */
    send: (answer: LinkedAnswer) => {
      const held = heldByOther(question, person.principal);
      if (held || asksOnceMore(question, answer.value)) setPhase({ at: 'asking', answer, held });
      else void deliver(answer);
    },
    confirm: () => {
      if (phase.at !== 'asking') return;
      const { answer, held } = phase;
      void deliver(held ? { ...answer, despite_claim: true } : answer);
    },
    cancel: () => {
      setPhase({ at: 'writing' });
    },
  } as const;
}
