import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { renewQuestion } from '../store.js';
import { asksOnceMore } from '../../../../domain/suspension/form/once-more.js';
import type { Claim } from '../../../../contracts/suspension/verbs.js';
import type { Entry, Refused, Sendable } from '../../api/types.js';
import { serverNow } from '../clock.js';

/** Runs one call at a time, and keeps its error until the next one. */
export function useAttempt() {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  });
  /** Resolves to the error of the call. The function never changes. */
  const [run] = useState(() => async (call: () => Promise<unknown>): Promise<unknown> => {
    setState({ isBusy: true });
    try {
      await call();
      setState({ isBusy: false });
      return undefined;
    } catch (error) {
      setState({ isBusy: false, error });
      return error;
    }
  });
  const forget = () => {
    setState({ isBusy: false });
  };
  return { ...state, run, forget } as const;
}

export type Acting = ReturnType<typeof useActing>;

/** Changes a question, and reads it again. */
export function useActing(id: string) {
  const client = useQueryClient();
  const { run, ...attempt } = useAttempt();
  /** Resolves to whether it worked. */
  const act = async (call: () => Promise<unknown>): Promise<boolean> => {
    const error = await run(call);
    renewQuestion(client, id);
    return error === undefined;
  };
  return { ...attempt, act } as const;
}

export type Holder = Pick<Claim, 'holder' | 'expires_at'>;

type Claimed = Pick<Entry, 'claim'>;

/** Returns the claim on a question unless it has expired. */
export function claimOf({ claim }: Claimed): Holder | undefined {
  return claim && Date.parse(claim.expires_at) > serverNow() ? claim : undefined;
}

/** Returns the claim on a question if somebody else has it. */
export function heldByOther(question: Claimed, me: string | undefined): Holder | undefined {
  const claim = claimOf(question);
  return claim?.holder === me ? undefined : claim;
}

export function holderIn(problem: Refused | undefined): Holder | undefined {
  if (problem?.code !== 'claimed_by_other') return undefined;
  const { holder, expires_at } = problem.state ?? {};
  const isWhole = typeof holder === 'string' && typeof expires_at === 'string';
  return isWhole ? { holder, expires_at } : undefined;
}

/** An answer that has to be confirmed: it cannot be undone, or somebody else has claimed the question. */
export interface Asking<A extends Sendable> {
  readonly at: 'asking';
  readonly answer: A;
  readonly held: Holder | undefined;
}

/** Returns what has to be confirmed before an answer is sent; undefined if it can go at once. */
export function askedBefore<A extends Sendable>(
  question: Claimed,
  record: Parameters<typeof asksOnceMore>[0],
  me: string | undefined,
  answer: A,
): Asking<A> | undefined {
  const held = heldByOther(question, me);
  return held || asksOnceMore(record, answer.value) ? { at: 'asking', answer, held } : undefined;
}

/** Returns a confirmed answer in the form to send. */
export function confirmed<A extends Sendable>({ answer, held }: Asking<A>): A {
  return held ? { ...answer, despite_claim: true } : answer;
}
