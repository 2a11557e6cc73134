import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asksOnceMore } from '../../../domain/suspension/once-more.js';
import { api } from '../api/calls.js';
import { RefusedError, mayHaveArrived } from '../api/http.js';
import type { Answer, Entry, Question, Refused } from '../api/types.js';
import { serverNow } from './clock.js';
import type { Drafting } from './drafts.js';
import { WRITING, phaseOf } from './phase.js';
import type { Holder, Pressed } from './phase.js';

/** The claim of somebody else that still counts. */
export function heldByOther(
  question: Pick<Entry, 'claim'>,
  me: string | undefined,
): Holder | undefined {
  const { claim } = question;
  if (!claim || claim.holder === me || Date.parse(claim.expires_at) <= serverNow())
    return undefined;
  return claim;
}

/** Refusals of what would have counted earlier: another answer, or an edit, was faster. */
const TOO_LATE: readonly string[] = [
  'suspension_settled',
  'suspension_mismatch',
  'question_version_mismatch',
  'proposal_hash_mismatch',
];

function isTooLate(error: unknown): boolean {
  return error instanceof RefusedError && TOO_LATE.includes(error.problem.code);
}

/** Sends answers to a question, one at a time, and notes in its draft what became of the last one. */
export function useAnswering(
  question: Question,
  readAt: number,
  me: string | undefined,
  drafting: Drafting,
) {
  const [pressed, setPressed] = useState<Pressed>(WRITING);
  const client = useQueryClient();
  const { id } = question;
  const phase = phaseOf(pressed, drafting.draft, question, readAt, me);

  const deliver = async (answer: Answer) => {
    setPressed({ at: 'sending' });
    const { key, replied } = drafting.sent(answer);
    try {
      const { status, body } = await api.respond(id, answer, key);
      const { approvals = 0, required = 1, resolution } = body;
      const isHandedOver = status === 202;
      replied(isHandedOver ? 'handed_over' : 'counted');
      const { question_version } = answer;
      const counted = { at: 'counted', approvals, required, question_version } as const;
      setPressed(isHandedOver || resolution !== undefined ? WRITING : counted);
    } catch (error) {
      const isLost = mayHaveArrived(error);
      replied(isLost || isTooLate(error) ? 'open' : 'refused');
      const held = holderIn(error);
      setPressed(held ? { at: 'asking', answer, held } : { at: 'failed', error, isLost });
    } finally {
      void client.invalidateQueries({ queryKey: ['question', id] });
      void client.invalidateQueries({ queryKey: ['list'] });
      void client.invalidateQueries({ queryKey: ['counts'] });
    }
  };
  return {
    phase,
    /** Sends an answer, or first asks once more. */
    send: (answer: Answer) => {
      const held = heldByOther(question, me);
      if (held || asksOnceMore(question.record, answer.value)) {
        setPressed({ at: 'asking', answer, held });
      } else void deliver(answer);
    },
    confirm: () => {
      if (phase.at !== 'asking') return;
      const { answer, held } = phase;
      void deliver(held ? { ...answer, despite_claim: true } : answer);
    },
    /** Takes the last press back, unless something is on its way. */
    cancel: () => {
      setPressed((last) => (last.at === 'sending' ? last : WRITING));
    },
  } as const;
}

/** Who has claimed the question, where that is why an answer was refused. */
export function holderIn(error: unknown): Holder | undefined {
  return error instanceof RefusedError ? holderOf(error.problem) : undefined;
}

/** The same of a refusal that came as a result. */
export function holderOf({ code, state = {} }: Refused): Holder | undefined {
  const { holder, expires_at } = state;
  if (code !== 'claimed_by_other') return undefined;
  if (typeof holder !== 'string' || typeof expires_at !== 'string') return undefined;
  return { holder, expires_at };
}
