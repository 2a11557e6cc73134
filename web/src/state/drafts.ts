import { useLayoutEffect, useMemo } from 'react';
import type { Answer, Question } from '../api/types.js';
import { afterReply, asSent, withoutCounted, withoutTyped } from './draft.js';
import type { Draft, Reply } from './draft.js';
import { newKey } from '../api/http.js';
import { fateOf } from './sent-answer.js';
import { tabStorage } from './storage.js';
import { createStore, useStore } from './store.js';

/** The beginning of the names under which a tab keeps what was typed. */
export const DRAFTS = 'holdpoint-draft:';

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
/** The questions for which an answer of this tab has counted. */
const counted = new Set<string>();

function keep(name: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) tabStorage.remove(name);
  else tabStorage.set(name, JSON.stringify(draft));
  changes.set(changes.get() + 1);
}

function change(name: string, next: (draft: Draft) => Draft): void {
  keep(name, next(kept(name)));
}

/** Forgets all drafts of this tab. */
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

/** Returns the drafts of earlier versions of a question, the latest first. */
export function olderDrafts({ id, question_version: version }: Question): readonly Draft[] {
  return namesUpTo(id, version - 1).map(kept);
}

/** Discards the drafts whose answers count, as far as the question shows it. */
function discardCounted(question: Question, me: string | undefined): void {
  const names = namesUpTo(question.id, question.question_version).filter((name) => {
    const { sent } = kept(name);
    return sent && fateOf(sent, question, me) === 'counted';
  });
  for (const name of names) change(name, withoutCounted);
  if (names.length > 0) counted.add(question.id);
}

/**
 * Notes in the draft of a question that its answer is being sent, also if nobody looks at the question any more. Returns the key
 * of the answer, and a function that notes the reply.
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
 * Keeps the draft of a question as long as this tab lives: it survives a reload, a lost network and the end of the session. The
 * draft also notes the answer that was sent, until a reply or the question shows its result.
 */
export function useDraft(question: Question, me: string | undefined) {
  const { id, question_version: version } = question;
  const name = nameOf(id, version);
  const changed = useStore(changes);
  // Each change of a draft has it read again.
  const draft = useMemo(() => kept(name), [name, changed]);
  // Before the page says that a draft was in vain although its answer counts.
  useLayoutEffect(() => {
    discardCounted(question, me);
  }, [question, me]);

  return {
    draft,
    /** Whether an answer of this tab has counted. */
    hasCounted: counted.has(id),
    update: (typed: Partial<Draft>) => {
      change(name, (last) => ({ ...last, key: newKey(), ...typed }));
    },
    /** Forgets what was typed. */
    clear: () => {
      change(name, withoutTyped);
    },
    clearOlder: () => {
      for (const older of namesUpTo(id, version - 1)) keep(older, {});
    },
  } as const;
}

export type Drafting = ReturnType<typeof useDraft>;
