import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { defined } from '../../../../contracts/constants/defined.js';
import { api } from '../../api/calls.js';
import { newKey, refusalIn } from '../../api/http.js';
import type { BulkAnswer, BulkResult, Entry, Said, Sendable } from '../../api/types.js';
import { VIA } from './edits.js';
import { serverNow } from '../clock.js';
import { holderIn } from './acting.js';
import { holdBack, sendNow, takeBack } from './outbox.js';
import { comeBack } from '../returning.js';
import { select } from '../list/selection.js';
import { undoSeconds } from '../settings.js';
import { undoMs } from './undo.js';
import type { JsonValue } from '../../../../contracts/kernel/primitives.js';
import { asksOnceMore } from '../../../../domain/suspension/form/once-more.js';
import { choicesOf } from '../../parts/answer/Choices.js';
import type { Entered } from '../../form/field.js';
import { canSend, saidBy, useShownForm, type Filled } from './form-state.js';

interface BulkState {
  readonly isBusy: boolean;
  /** Until when an answer is held back, in ms by the clock of this machine. */
  readonly unsentUntil?: number | undefined;
  readonly isUndone?: boolean | undefined;
  /** The results so far, by the id of the question. */
  readonly results?: ReadonlyMap<string, BulkResult> | undefined;
  readonly error?: unknown;
  /** The question that the API named because it needs other answers. */
  readonly misfit?: string | undefined;
}

/** The name under which the answer is held back. There is one such page, and so one answer at a time. */
const BULK = 'bulk';

/** An answer that was sent when somebody left the page, and that some questions refused. */
interface LeftBulk {
  readonly entries: readonly Entry[];
  readonly filled: Filled;
  readonly answer: Said;
  readonly state: BulkState;
}

let left: LeftBulk | undefined;

/** Returns the unfinished answer of the page, for somebody who comes back to it. */
export function leftBulk(): LeftBulk | undefined {
  return left;
}

/** Forgets it, because another person uses the page. */
export function discardLeftBulk(): void {
  left = undefined;
}

export type BulkAnswering = ReturnType<typeof useBulkAnswering>;

/**
 * Sends one answer to many questions, after a time in which it can be undone. The API first refuses it for questions
 * that others have claimed; it can be sent again to these, once the person has seen who has them.
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
  /** Holds an answer back for the time in the settings, or sends it at once. */
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
    undo: () => {
      takeBack(BULK);
      setState({ results: state.results, isBusy: false, isUndone: true });
    },
  } as const;
}

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

/** Returns a function that says whether the page is in view. A held answer is sent when somebody leaves it. */
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

function misfitIn(error: unknown, to: readonly Entry[]): string | undefined {
  const problem = refusalIn(error);
  if (problem?.code !== 'mixed_shapes') return undefined;
  const [, index] = /^answers\[(\d+)\]/.exec(problem.field ?? '') ?? [];
  return index === undefined ? undefined : to[Number(index)]?.id;
}

/** Gives each request a key, and the same one to a repeat after a lost reply, so that it counts once. */
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

export type Entries = readonly [Entry, ...Entry[]];

/** Returns the first question. It keeps the description of a choice only if all questions have the same one. */
function askedOf([first, ...others]: Entries): Entry['record'] {
  const { record } = first;
  if (record.choices === undefined) return record;
  const choices = record.choices.map(({ description, ...choice }) => {
    const isSaidByAll = others.every((other) =>
      other.record.choices?.some(
        (one) => one.value === choice.value && one.description === description,
      ),
    );
    return isSaidByAll && description !== undefined ? { ...choice, description } : choice;
  });
  return { ...record, choices };
}

export type BulkDraft = ReturnType<typeof useBulkDraft>;

/** Holds one answer for many questions while it is filled in, and until it is confirmed. */
export function useBulkDraft(
  entries: Entries,
  isBusy: boolean,
  send: (said: Said, filled: Filled) => void,
) {
  const [value, setValue] = useState<JsonValue>(() => leftBulk()?.filled.value ?? '');
  const [form, setForm] = useState<Entered | undefined>(() => leftBulk()?.filled.form);
  const [asking, setAsking] = useState<Said>();
  const record = askedOf(entries);
  const shown = useShownForm(record);
  const isReady = canSend(record, { value, form }) && shown.isShown;
  return {
    fields: {
      asked: record,
      value,
      onChange: setValue,
      form,
      onForm: setForm,
      onReady: shown.onReady,
    },
    chosen: choicesOf(record).find((choice) => choice.value === value),
    isReady,
    asking,
    /** Sends the answer, or asks for a confirmation first. */
    submit: () => {
      if (isBusy || asking || !isReady || !shown.isChecked()) return;
      const said = saidBy(record, { value, form });
      if (!said) return;
      if (entries.some((entry) => asksOnceMore(entry.record, said.value))) setAsking(said);
      else send(said, { value, form });
    },
    confirm: () => {
      setAsking(undefined);
      if (asking) send(asking, { value, form });
    },
    cancel: () => {
      setAsking(undefined);
    },
  } as const;
}
