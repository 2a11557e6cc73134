import { asksOnceMore } from '../../../domain/suspension/form/once-more.js';
import type { Claim } from '../../../contracts/suspension/verbs.js';
import type { Entry, Refused, Sendable } from '../api/types.js';
import { serverNow } from './clock.js';

/** The person who has claimed a question, and until when. */
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

/** Returns who has claimed the question, if an answer was refused for that reason. */
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

/** Returns an answer as it is sent once it is confirmed. */
export function confirmed<A extends Sendable>({ answer, held }: Asking<A>): A {
  return held ? { ...answer, despite_claim: true } : answer;
}
