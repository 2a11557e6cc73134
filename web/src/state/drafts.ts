import { useCallback, useLayoutEffect, useState } from 'react';
import type { Answer, Question } from '../api/types.js';
import { afterReply, asSent, withoutCounted, withoutTyped } from './draft.js';
import type { Draft, Reply } from './draft.js';
import { newKey } from './new-key.js';
import { fateOf } from './sent-answer.js';
import { tabStorage } from './storage.js';

const PREFIX = 'holdpoint-draft:';

function nameOf(id: string, version: number): string {
  return `${PREFIX}${id}:${version}`;
}

function kept(name: string): Draft {
  try {
    return JSON.parse(tabStorage.get(name) ?? '{}') as Draft;
  } catch {
    return {};
  }
}

function keep(name: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) tabStorage.remove(name);
  else tabStorage.set(name, JSON.stringify(draft));
}

/** Forgets all drafts of this tab. */
export function discardAll(): void {
  const names = tabStorage.names().filter((name) => name.startsWith(PREFIX));
  for (const name of names) tabStorage.remove(name);
}

/** A text that is typed beside an answer: a comment, or why somebody else has to decide. */
export function keptText(name: string): string {
  return tabStorage.get(`${PREFIX}text:${name}`) ?? '';
}

/** Keeps such a text until it is sent. */
export function keepText(name: string, text: string): void {
  tabStorage.set(`${PREFIX}text:${name}`, text);
}

/** Forgets such a text. */
export function forgetText(name: string): void {
  tabStorage.remove(`${PREFIX}text:${name}`);
}

/** The names of the drafts of a question, from that of a version back to the first. */
function namesUpTo(id: string, version: number): readonly string[] {
  return Array.from({ length: version }, (_, back) => nameOf(id, version - back));
}

/** The drafts of earlier versions of a question, the latest first. */
export function olderDrafts({ id, question_version: version }: Question): readonly Draft[] {
  return namesUpTo(id, version - 1).map(kept);
}

/** Discards the drafts that a question shows as answers which count. Returns whether there were any. */
function discardCounted(question: Question, me: string | undefined): boolean {
  const names = namesUpTo(question.id, question.question_version).filter((name) => {
    const { sent } = kept(name);
    return sent && fateOf(sent, question, me) === 'counted';
  });
  for (const name of names) keep(name, withoutCounted(kept(name)));
  return names.length > 0;
}

/**
 * The draft of a question, kept while this tab lives: a reload, a lost network and an ended session leave it. It is also where
 * the page notes what was sent, until a reply or the question says what became of it.
 */
export function useDraft(question: Question, me: string | undefined) {
  const { id, question_version: version } = question;
  const name = nameOf(id, version);
  const [state, setState] = useState({ name, draft: kept(name) });
  const [hasCounted, setHasCounted] = useState(false);
  const draft = state.name === name ? state.draft : kept(name);

  const change = useCallback(
    (next: (draft: Draft) => Draft) => {
      keep(name, next(kept(name)));
      setState({ name, draft: kept(name) });
    },
    [name],
  );
  // Before anybody sees or hears that a draft came to nothing which counts.
  useLayoutEffect(() => {
    if (discardCounted(question, me)) setHasCounted(true);
    setState({ name, draft: kept(name) });
  }, [question, me, name]);

  return {
    draft,
    /** Whether an answer of this tab counts, since the page is open. */
    hasCounted,
    update: (typed: Partial<Draft>) => {
      change((last) => ({ ...last, key: newKey(), ...typed }));
    },
    /** Forgets what was typed. */
    clear: () => {
      change(withoutTyped);
    },
    clearOlder: () => {
      for (const older of namesUpTo(id, version - 1)) keep(older, {});
      change((last) => last);
    },
    /** Notes that an answer is sent, and returns its key and what takes note of the reply. */
    sent: (answer: Answer) => {
      const last = kept(name);
      const next = asSent(last, answer, question.timeline.length, Date.now());
      change(() => next);
      const replied = (reply: Reply) => {
        if (reply === 'counted') setHasCounted(true);
        change((now) => afterReply(now, next.sent, reply, last.sent, Date.now()));
      };
      return { key: next.sent.key, replied } as const;
    },
  } as const;
}

export type Drafting = ReturnType<typeof useDraft>;
