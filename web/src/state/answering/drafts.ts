import { useLayoutEffect, useMemo, useState } from 'react';
import type { Answer, Question } from '../../api/types.js';
import {
  afterReply,
  asSent,
  withoutCounted,
  withoutTyped,
  type Draft,
  type Reply,
} from './draft.js';
import { newKey } from '../../api/http.js';
import { fateOf } from './sent-answer.js';
import { tabStorage } from '../storage.js';
import { createStore, useStore } from '../store.js';

/** The prefix of the names under which a tab keeps what was typed. */
const DRAFTS = 'holdpoint-draft:';

function nameOf(id: string, version: number): string {
  return `${DRAFTS}${id}:${version}`;
}

function kept(name: string): Draft {
  try {
    return JSON.parse(tabStorage.get(name) ?? '{}') as Draft;
  } catch {
    return {};
  }
}

/** How often a draft was changed. The drafts themselves are in the storage of the tab. */
const changes = createStore(0);
const counted = new Set<string>();

function keep(name: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) tabStorage.remove(name);
  else tabStorage.set(name, JSON.stringify(draft));
  changes.set(changes.get() + 1);
}

function change(name: string, next: (draft: Draft) => Draft): void {
  keep(name, next(kept(name)));
}

export function discardAll(): void {
  const names = tabStorage.names().filter((name) => name.startsWith(DRAFTS));
  for (const name of names) tabStorage.remove(name);
  counted.clear();
  changes.set(changes.get() + 1);
}

/** Returns the names of the drafts of a question, from this version back to the first. */
function namesUpTo(id: string, version: number): readonly string[] {
  return Array.from({ length: version }, (_, back) => nameOf(id, version - back));
}

export function olderDrafts({ id, question_version: version }: Question): readonly Draft[] {
  return namesUpTo(id, version - 1).map(kept);
}

/** Discards the drafts whose answers the question shows as counted. */
function discardCounted(question: Question, me: string | undefined): void {
  const names = namesUpTo(question.id, question.question_version).filter((name) => {
    const { sent } = kept(name);
    return sent && fateOf(sent, question, me) === 'counted';
  });
  for (const name of names) change(name, withoutCounted);
  if (names.length > 0) counted.add(question.id);
}

/**
 * Notes in the draft of a question that its answer is being sent, even if its page is closed. Returns the key of the
 * answer, and a function that notes the reply.
 */
export function noteSent({ id, question_version: version, timeline }: Question, answer: Answer) {
  const name = nameOf(id, version);
  const last = kept(name);
  const next = asSent(last, answer, timeline.length, Date.now());
  keep(name, next);
  const replied = (reply: Reply) => {
    if (reply === 'counted') counted.add(id);
    change(name, (now) => afterReply(now, next.sent, reply, last.sent, Date.now()));
  };
  return { key: next.sent.key, replied } as const;
}

/**
 * Keeps the draft of a question while this tab lives, through reloads, lost networks and the end of the session. The
 * draft also notes the sent answer, until a reply or the question shows its result.
 */
export function useDraft(question: Question, me: string | undefined) {
  const { id, question_version: version } = question;
  const name = nameOf(id, version);
  const changed = useStore(changes);
  // Each change of a draft makes the page read it again.
  const draft = useMemo(() => kept(name), [name, changed]);
  // This runs before the page could call a draft useless although its answer counts.
  useLayoutEffect(() => {
    discardCounted(question, me);
  }, [question, me]);

  return {
    draft,
    hasCounted: counted.has(id),
    update: (typed: Partial<Draft>) => {
      change(name, (last) => ({ ...last, key: newKey(), ...typed }));
    },
    clear: () => {
      change(name, withoutTyped);
    },
    clearOlder: () => {
      for (const older of namesUpTo(id, version - 1)) keep(older, {});
    },
  } as const;
}

export type Drafting = ReturnType<typeof useDraft>;

type KeptText = readonly [
  text: string,
  type: (text: string) => void,
  /** Forgets the text that was sent, unless somebody has typed more since. */
  sent: (text: string) => void,
];

/**
 * Keeps a text beside an answer, such as a comment, until it is sent, even if the dialog is closed or the page
 * reloaded.
 * @param name - of the field and the question
 */
export function useKeptText(name: string): KeptText {
  const place = `${DRAFTS}text:${name}`;
  const kept = () => tabStorage.get(place) ?? '';
  const [state, setState] = useState(() => ({ place, text: kept() }));
  const text = state.place === place ? state.text : kept();
  const type = (typed: string) => {
    if (typed === '') tabStorage.remove(place);
    else tabStorage.set(place, typed);
    setState({ place, text: typed });
  };
  const sent = (what: string) => {
    if (kept() === what) tabStorage.remove(place);
    setState((now) => (now.place === place && now.text === what ? { place, text: '' } : now));
  };
  return [text, type, sent];
}
