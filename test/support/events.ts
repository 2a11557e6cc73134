import { ERASURE_EVENT } from '../../contracts/constants/erasure.js';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { ExportEnd, IntentEvent, RunEvent } from '../../contracts/intent/event.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import {
  isQuestionChange,
  isRunEvent,
  type FeedEntry,
  type FeedEvent,
} from '../../contracts/subscription/feed.js';
import { payloadSalt, sealEvent } from '../../domain/log/seal.js';
import { FeedHub } from '../../store/feed/hub.js';
import { feedSourceOf, type FeedSource } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import { appendToRun } from '../../store/queries/run-log.js';
import type { Store } from '../../store/schema.js';
import { aPortfolio, anEvent, anIntent, instant, memberRow, portfolioRow } from '../store/rows.js';
import { runLog } from './secrets.js';
import type { TestStore } from './store.js';

/** A sound log of notes, oldest first; its last event may say that the others were erased. */
export function logOfNotes(
  length: number,
  intent_id: string = randomUUID(),
  ends: 'note' | 'erasure' = 'note',
): IntentEvent[] {
  const events: IntentEvent[] = [];
  const log_key = randomUUID();
  for (let sequence = 1; sequence <= length; sequence += 1) {
    const isErasure = sequence === length && ends === 'erasure';
    const note = {
      event_type: isErasure ? ERASURE_EVENT : 'note',
      actor: 'agent-1',
      principal: 'agent-1',
      payload: isErasure ? { through_sequence: length - 1 } : { text: `note ${sequence}\u2028` },
    };
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, sequence)).toISOString();
    const draft = { intent_id, sequence, ...note, created_at };
    const salt = payloadSalt(log_key, sequence);
    events.push(sealEvent(draft, events.at(-1)?.event_hash ?? null, salt));
  }
  return events;
}

/** The last line of such a log's export. */
export function endOf(events: readonly IntentEvent[]): ExportEnd {
  const last = events.at(-1);
  const end = { last_sequence: last?.sequence ?? 0, head_hash: last?.event_hash ?? null };
  return { end_of_log: { intent_id: last?.intent_id ?? '', ...end, head_from: 'workflow' } };
}

/** The lines of such a log's export. */
export function exportOf(events: readonly IntentEvent[]): string[] {
  return [...events, endOf(events)].map((line) => JSON.stringify(line));
}

const SILENT = { hears: true, close: () => undefined };

/** A feed without an event, which never gets one. */
export function emptyFeed(): FeedHub {
  const source: FeedSource = {
    reach: () => Promise.resolve(0),
    look: () => Promise.resolve({ settled: 0, pending: false }),
    read: () => Promise.resolve({ rows: [], more: false }),
    audiencesOf: () => Promise.resolve([]),
    marks: () => Promise.resolve([]),
    newestKept: () => Promise.resolve(undefined),
    newestPosition: () => Promise.resolve(0),
    end: () => Promise.resolve(0),
    lastTaken: () => Promise.resolve(0),
    listen: () => SILENT,
  };
  return new FeedHub(source, { warn: () => undefined });
}

/** The hub of one API replica over a store. */
export function feedOf(store: Pick<TestStore, 'db' | 'url'>): FeedHub {
  return new FeedHub(feedSourceOf(store.db, store.url), pino({}, runLog('api')));
}

/** An event of an intent's log: the first is by its creator. */
export function eventOf(
  intentId: string,
  sequence: number,
  changes: Partial<IntentEvent> = {},
): IntentEvent {
  const event_type = sequence === 1 ? 'intent_created' : 'note';
  return anEvent({ intent_id: intentId, sequence, event_type, ...changes });
}

/** Appends one event, and the intent's row, as its journal would. */
export async function append(db: Store, event: IntentEvent): Promise<IntentEvent> {
  const intent = anIntent({ id: event.intent_id, version: event.sequence });
  const rows: JournalRow[] = [
    { kind: 'event', event },
    { kind: 'intent', intent, last_sequence: event.sequence },
  ];
  await writeRows(db, rows);
  return event;
}

/** The intent, portfolio or run of whose log an event is, or the question that has changed. */
export function logIdOf(event: FeedEvent): string {
  if (isQuestionChange(event)) return event.suspension_id;
  return isRunEvent(event) ? event.run_id : event.intent_id;
}

/** The event of a log that an entry of the feed is. */
export function loggedIn({ event }: FeedEntry): IntentEvent | RunEvent {
  if (isQuestionChange(event)) throw new Error('The entry is a change of a question.');
  return event;
}

/** Logs an event in a run, as its approval would; `key` is that of the event in the log, and in its payload. */
export async function logInRun(
  db: Store,
  run_id: string,
  key: string,
  { space = 'default', ...changes }: Partial<ApprovalNote> & { readonly space?: string } = {},
): Promise<void> {
  const about = { event_type: 'approval_vote', actor: 'alice', principal: 'holdpoint' };
  const note = { key, run_id, intent_id: null, ...about, payload: { key }, at: instant(1) };
  await appendToRun(db, { ...note, ...changes }, payloadSalt(run_id, 1), space);
}

/** A portfolio without a deadline. */
const PLAIN = { name: 'Launch', governance_policy: {} };

/** Makes a portfolio and its one member, as its journal would; the portfolio has no event yet. */
export async function writePortfolio(
  db: Store,
  portfolio_id: string,
  intent_id: string,
): Promise<void> {
  await writeRows(db, [
    portfolioRow(aPortfolio({ id: portfolio_id, ...PLAIN }), 0),
    memberRow(portfolio_id, intent_id),
  ]);
}

/** An event of a portfolio's own log, written as its journal would. */
export async function appendToPortfolio(db: Store, portfolioId: string): Promise<IntentEvent> {
  const event = eventOf(portfolioId, 1, { event_type: 'portfolio.member_suspended' });
  const portfolio = aPortfolio({ id: portfolioId, ...PLAIN });
  const head_hash = event.event_hash;
  await writeRows(db, [
    { kind: 'event', event },
    { kind: 'portfolio', portfolio, last_sequence: event.sequence, head_hash },
  ]);
  return event;
}

/** Lets writers append to intents of their own, so many events each, all at the same time. */
export async function writeMany(
  db: Store,
  intentIds: readonly string[],
  events: number,
): Promise<void> {
  const writer = async (intentId: string): Promise<void> => {
    for (let sequence = 1; sequence <= events; sequence += 1) {
      await append(db, eventOf(intentId, sequence));
    }
  };
  await Promise.all(intentIds.map(writer));
}
