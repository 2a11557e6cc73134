import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { defined } from '../../../contracts/constants/defined.js';
import { api } from '../api/calls.js';
import { newKey, refusalIn } from '../api/http.js';
import type { BulkAnswer, BulkResult, Entry, Said, Sendable } from '../api/types.js';
import { VIA } from './answer-of.js';
import { serverNow } from './clock.js';
import { holderIn } from './claims.js';
import type { Filled } from './filled.js';
import { holdBack, sendNow, takeBack } from './outbox.js';
import { comeBack } from './returning.js';
import { select } from './selection.js';
import { undoSeconds } from './settings.js';
import { undoMs } from './undo.js';

interface BulkState {
  readonly isBusy: boolean;
  /** Until when an answer is held back, in ms by the clock of this machine. */
  readonly unsentUntil?: number | undefined;
  readonly isUndone?: boolean | undefined;
  /** The results so far, by the id of the question. */
  readonly results?: ReadonlyMap<string, BulkResult> | undefined;
  readonly error?: unknown;
  /** The question that the API named because it takes other answers. */
  readonly misfit?: string | undefined;
}

/** The name under which the answer is held back. There is one page, and so one answer at a time. */
const BULK = 'bulk';

/** An answer that was sent when somebody left the page, and was not taken by all questions. */
interface LeftBulk {
  readonly entries: readonly Entry[];
  readonly filled: Filled;
  readonly answer: Said;
  readonly state: BulkState;
}

let left: LeftBulk | undefined;

/** Returns what somebody has left on the page and comes back to. */
export function leftBulk(): LeftBulk | undefined {
  return left;
}

/** Forgets it, because another person uses the page. */
export function discardLeftBulk(): void {
  left = undefined;
}

export type BulkAnswering = ReturnType<typeof useBulkAnswering>;

/**
 * Sends one answer to many questions, after a while in which it can be undone. The API refuses it at first for questions that others
 * have claimed. It can be sent again to these alone, after somebody has seen who has them.
 */
export function useBulkAnswering(entries: readonly Entry[]) {
  const client = useQueryClient();
  const [state, setState] = useState<BulkState>(() => left?.state ?? { isBusy: false });
  const [answer, setAnswer] = useState<Said | undefined>(() => left?.answer);
  const keyOf = useRepeatKeys();
  const isInView = useInView();
  const deliver = async (to: readonly Entry[], sent: Sendable, filled: Filled, isLast = false) => {
    const before = { results: state.results };
    setState({ ...before, isBusy: true });
    const next = await outcomeOf(to, sent, before, keyOf, isLast);
    setState(next);
    void client.invalidateQueries();
    const isTaken = isAllTaken(next);
    if (!isTaken && !isInView()) {
      left = { entries, filled, answer: sent, state: next };
      comeBack({ path: '/bulk', title: `${entries.length} questions together` });
    }
    return isTaken;
  };
  /** Holds an answer back as long as the person wants, or sends it at once. */
  const hand = (to: readonly Entry[], sent: Sendable, filled: Filled) => {
    const deadlines = to.map(({ record }) => record.expires_at);
    const ms = undoMs(undoSeconds(), deadlines, bodyOf(to, sent), serverNow());
    if (ms === 0) {
      void deliver(to, sent, filled);
      return;
    }
    setState({ results: state.results, isBusy: false, unsentUntil: Date.now() + ms });
    holdBack(BULK, ms, (isLast) => deliver(to, sent, filled, isLast));
  };
  const held = entries.filter(({ id }) => holderIn(state.results?.get(id)?.problem));
  return {
    ...state,
    /** The answer that was sent last. */
    answer,
    /** The questions that were refused because somebody else has them. */
    held,
    send: (said: Said, filled: Filled) => {
      setAnswer(said);
      hand(entries, said, filled);
    },
    sendToHeld: () => {
      if (answer) hand(held, { ...answer, despite_claim: true }, {});
    },
    /** Takes back an answer that was not sent yet. */
    undo: () => {
      takeBack(BULK);
      setState({ results: state.results, isBusy: false, isUndone: true });
    },
  } as const;
}

/** Sends an answer to some questions. Returns the state after the reply. */
async function outcomeOf(
  to: readonly Entry[],
  sent: Sendable,
  { results: before }: Pick<BulkState, 'results'>,
  keyOf: (body: BulkAnswer) => string,
  isLast: boolean,
): Promise<BulkState> {
  try {
    const body = bodyOf(to, sent);
    const results = new Map(before);
    for (const result of await api.respondToAll(body, keyOf(body), isLast)) {
      results.set(result.suspension_id, result);
    }
    select([]);
    return { isBusy: false, results };
  } catch (error) {
    return { isBusy: false, results: before, error, misfit: misfitIn(error, to) };
  }
}

/** Whether nobody has to look at the results. */
function isAllTaken({ results, error }: BulkState): boolean {
  if (error !== undefined) return false;
  return [...(results?.values() ?? [])].every(({ outcome }) => outcome !== 'refused');
}

/** Returns a function that says whether the page is in view. What is held back is sent when somebody leaves it. */
function useInView(): () => boolean {
  const inView = useRef(true);
  useEffect(() => {
    inView.current = true;
    return () => {
      inView.current = false;
      left = undefined;
      sendNow(BULK);
    };
  }, []);
  return () => inView.current;
}

/** Returns the id of the question that a refusal names, if it names one. */
function misfitIn(error: unknown, to: readonly Entry[]): string | undefined {
  const problem = refusalIn(error);
  if (problem?.code !== 'mixed_shapes') return undefined;
  const [, index] = /^answers\[(\d+)\]/.exec(problem.field ?? '') ?? [];
  return index === undefined ? undefined : to[Number(index)]?.id;
}

/** Gives each request a key, and the same one if it is sent again after a lost reply, so that it counts once. */
function useRepeatKeys(): (body: BulkAnswer) => string {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.current.get(text) ?? newKey();
    keys.current.set(text, key);
    return key;
  };
}

function bodyOf(to: readonly Entry[], sent: Sendable): BulkAnswer {
  const answers = to.map(({ id, question_version, record: { approval } }) => ({
    suspension_id: id,
    question_version,
    ...defined({ proposal_hash: approval?.proposal_hash }),
  }));
  return { answers, ...sent, metadata: { via: VIA } };
}
