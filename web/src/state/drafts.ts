import { useCallback, useState } from 'react';
import type { JsonValue } from '../../../contracts/primitives.js';

/** What somebody has begun to answer. It is for one version of one question, and never sent by itself. */
export interface Draft {
  readonly value?: JsonValue;
  readonly note?: string;
  /** What has to come with a decision whose question has a schema. */
  readonly data?: JsonValue;
  /** Edited arguments as they are typed, by the id of their call. */
  readonly edits?: Readonly<Record<string, string>>;
  /** Makes a second sending of the same answer harmless; another answer has another. */
  readonly key?: string;
}

const PREFIX = 'holdpoint-draft:';

function nameOf(id: string, version: number): string {
  return `${PREFIX}${id}:${version}`;
}

function kept(name: string): Draft {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '{}') as Draft;
  } catch {
    return {};
  }
}

/** Forgets all drafts of this tab. */
export function discardAll(): void {
  const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
  for (const name of names) sessionStorage.removeItem(name);
}

/** Whether a draft holds anything that somebody would miss. */
export function isBegun({ value, note, edits }: Draft): boolean {
  const hasValue = value !== undefined && value !== '';
  return hasValue || Boolean(note) || Object.keys(edits ?? {}).length > 0;
}

/** A draft as a text to copy. */
export function draftText({ value, note, edits }: Draft): string {
  const shown = typeof value === 'string' ? value : value && JSON.stringify(value, null, 2);
  return [shown, note, ...Object.values(edits ?? {})].filter(Boolean).join('\n\n');
}

/** The draft of an earlier version of a question, if there is one. */
export function olderDraft(id: string, version: number): Draft | undefined {
  for (let earlier = version - 1; earlier > 0; earlier -= 1) {
    const draft = kept(nameOf(id, earlier));
    if (isBegun(draft)) return draft;
  }
  return undefined;
}

/** Forgets the drafts of earlier versions. */
export function discardOlder(id: string, version: number): void {
  for (let earlier = version - 1; earlier > 0; earlier -= 1) {
    sessionStorage.removeItem(nameOf(id, earlier));
  }
}

/** The draft of a question, kept while this tab lives: a reload, a lost network and an ended session leave it. */
export function useDraft(id: string, version: number) {
  const name = nameOf(id, version);
  const [state, setState] = useState({ name, draft: kept(name) });
  const draft = state.name === name ? state.draft : kept(name);

  const update = useCallback(
    (change: Partial<Draft>) => {
      const next = { ...kept(name), key: crypto.randomUUID(), ...change };
      sessionStorage.setItem(name, JSON.stringify(next));
      setState({ name, draft: next });
    },
    [name],
  );
  const discard = useCallback(() => {
    sessionStorage.removeItem(name);
    setState({ name, draft: {} });
  }, [name]);
  return { draft, update, discard } as const;
}
