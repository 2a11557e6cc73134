import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Entry } from '../../api/types.js';
import { holdKeysBack } from '../keys.js';
import { useList } from './questions.js';
import { lastList, useLastListed } from './views.js';

/** The neighbours of one question in the list, and how to go to them. */
export interface Walk {
  /** The question after this one, and the one before; undefined at an end of the list. */
  readonly next: Entry | undefined;
  readonly previous: Entry | undefined;
  /** Goes to the next question, or back to the list after the last one. */
  readonly goOn: () => void;
  readonly go: (to: Entry) => void;
}

/** The question that somebody is going to, until it is in view, and whether it replaces another one. */
let walkingTo: { readonly id: string; readonly replaces: boolean } | undefined;

/** Marks a question: when it comes into view, its heading gets the focus. */
export function walkTo(id: string, replaces = true): void {
  walkingTo = { id, replaces };
}

/**
 * Returns the neighbours in the list that was shown last. The place stays known when the question is no longer
 * listed, as after its answer.
 */
export function useWalk(id: string): Walk {
  const { view, filters } = useLastListed();
  const { entries, hasNextPage, isFetchingNextPage, fetchNextPage } = useList(view, filters);
  const [, navigate] = useLocation();
  // The list as it was when it had this question.
  const [known, setKnown] = useState(entries);
  const isListed = entries.some((entry) => entry.id === id);
  if (isListed && known !== entries) setKnown(entries);
  const { next, previous } = around(id, isListed ? entries : known, entries);
  const needsMore = next === undefined && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  const go = (to: Entry) => {
    walkTo(to.id);
    navigate(`/q/${to.id}`);
  };
  return {
    next,
    previous,
    go,
    goOn: () => {
      if (next) go(next);
      else navigate(lastList());
    },
  };
}

/**
 * Returns the nearest questions before and after one that are still listed.
 *
 * @param known - a list that had the question, if there was any
 * @param listed - the list as it is now
 */
export function around(id: string, known: readonly Entry[], listed: readonly Entry[]) {
  const at = known.findIndex((entry) => entry.id === id);
  if (at < 0) return { next: listed.find((entry) => entry.id !== id), previous: undefined };
  const still = new Map(listed.map((entry) => [entry.id, entry]));
  const nearest = (ids: readonly Entry[]) => {
    const found = ids.find((entry) => still.has(entry.id));
    return found && still.get(found.id);
  };
  return { next: nearest(known.slice(at + 1)), previous: nearest(known.slice(0, at).reverse()) };
}

/**
 * Moves the focus to the heading of a question that somebody has gone to; for a moment no key decides about a
 * question that has replaced another one.
 *
 * @param isShown - whether it is in view, or the reason why it cannot be
 */
export function useArrival(id: string, isShown: boolean): void {
  useEffect(() => {
    if (!isShown || walkingTo?.id !== id) return;
    if (walkingTo.replaces) holdKeysBack();
    walkingTo = undefined;
    startReading();
  }, [id, isShown]);
}

export function startReading(): void {
  const heading = document.querySelector<HTMLElement>('#main h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
