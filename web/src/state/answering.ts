import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asksOnceMore } from '../../../domain/suspension/once-more.js';
import { api } from '../api/calls.js';
import { RefusedError, UnreachableError } from '../api/http.js';
import type { Answer, Claim, Entry, Question, Refused } from '../api/types.js';
import { serverNow } from './clock.js';
import { fateOf } from './lost-answer.js';
import type { LostAnswer } from './lost-answer.js';

/** How far an answer has come. */
export type Phase =
  | { readonly at: 'writing' }
  /** It waits for a second yes: it cannot be undone, or somebody else has claimed the question. */
  | { readonly at: 'asking'; readonly answer: Answer; readonly held?: Holder | undefined }
  | { readonly at: 'sending' }
  | { readonly at: 'counted'; readonly approvals: number; readonly required: number }
  | { readonly at: 'handed_over' }
  | { readonly at: 'settled' }
  | ({ readonly at: 'failed'; readonly error: unknown } & LostAnswer)
  /** No reply came. The question was read since: it shows no answer so far, or what became of it. */
  | { readonly at: 'unseen' | 'over' };

/** Who else has claimed a question, and until when. */
export type Holder = Pick<Claim, 'holder' | 'expires_at'>;

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

const WRITING: Phase = { at: 'writing' };

/** How far an answer has come by what was read since, where no reply said it. */
function seen(last: Phase, question: Question, readAt: number, me: string | undefined): Phase {
  if (last.at !== 'failed' || !(last.error instanceof UnreachableError)) return last;
  const fate = fateOf(last, question, readAt, me);
  return fate === 'away' ? last : { at: fate };
}

/** Sends answers to a question, one at a time, and keeps what became of the last one. */
export function useAnswering(
  question: Question,
  readAt: number,
  me: string | undefined,
  key: string | undefined,
) {
  const [last, setPhase] = useState<Phase>(WRITING);
  const client = useQueryClient();
  const { id } = question;
  const phase = seen(last, question, readAt, me);

  const deliver = async (answer: Answer): Promise<boolean> => {
    setPhase({ at: 'sending' });
    try {
      const { status, body } = await api.respond(id, answer, key ?? crypto.randomUUID());
      const { approvals = 0, required = 1, resolution } = body;
      if (status === 202) setPhase({ at: 'handed_over' });
      else if (resolution === undefined) setPhase({ at: 'counted', approvals, required });
      else setPhase({ at: 'settled' });
      return status === 200;
    } catch (error) {
      const held = holderIn(error);
      const failed = { at: 'failed', error, sent: answer, since: Date.now() } as const;
      setPhase(held ? { at: 'asking', answer, held } : failed);
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: ['question', id] });
      void client.invalidateQueries({ queryKey: ['list'] });
      void client.invalidateQueries({ queryKey: ['counts'] });
    }
  };
  return {
    phase,
    /** Sends an answer, or first asks once more. Resolves to whether it counts. */
    send: async (answer: Answer): Promise<boolean> => {
      const held = heldByOther(question, me);
      if (held || asksOnceMore(question.record, answer.value)) {
        setPhase({ at: 'asking', answer, held });
        return false;
      }
      return deliver(answer);
    },
    confirm: async (): Promise<boolean> => {
      if (phase.at !== 'asking') return false;
      const { answer, held } = phase;
      return deliver(held ? { ...answer, despite_claim: true } : answer);
    },
    cancel: () => {
      setPhase(WRITING);
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
