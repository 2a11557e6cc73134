import assert from 'node:assert/strict';
import { ERASURE_EVENT } from '../../../contracts/constants/erasure.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { ReadEvent } from '../../../domain/log/chain.js';
import { verifyChain } from '../../support/verified-chain.js';
import { payloadSalt, sealEvent } from '../../../domain/log/seal.js';

export const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';
export const LOG_KEY = 'k'.repeat(43);
export const AT = '2026-11-20T10:00:00.000Z';

export function draft(sequence: number, payload: JsonObject = { index: sequence }) {
  const by = { actor: 'agent-1', principal: 'agent-1' };
  const place = { intent_id: INTENT_ID, sequence };
  return { ...place, event_type: 'note', ...by, payload, created_at: AT };
}

type UnsealedEvent = ReturnType<typeof draft>;

/** Seals an event of this log, which follows another. */
export function seal(event: UnsealedEvent, before?: Pick<IntentEvent, 'event_hash'>): IntentEvent {
  return sealEvent(event, before?.event_hash ?? null, payloadSalt(LOG_KEY, event.sequence));
}

/** What is left of an event whose payload was erased. */
export function erase({ payload_salt: _, ...event }: IntentEvent): IntentEvent {
  return { ...event, payload: {}, erased: true };
}

export function chainOf(payloads: readonly JsonObject[]): IntentEvent[] {
  const events: IntentEvent[] = [];
  for (const payload of payloads) {
    events.push(seal(draft(events.length + 1, payload), events.at(-1)));
  }
  return events;
}

export function chain(length: number): IntentEvent[] {
  return chainOf(Array.from({ length }, (_, index) => ({ index })));
}

/** The same log, with the event that says that all before it may have been erased. */
export function withErasure(events: readonly IntentEvent[]): IntentEvent[] {
  const through_sequence = events.length;
  const erasure = {
    ...draft(through_sequence + 1, { through_sequence }),
    event_type: ERASURE_EVENT,
  };
  return [...events, seal(erasure, events.at(-1))];
}

export function headOf(events: readonly IntentEvent[]) {
  const last = events.at(-1);
  return { sequence: last?.sequence ?? 0, event_hash: last?.event_hash ?? null };
}

/** Returns kind and sequence of the first break in a log that was recorded as `recorded`. */
export function firstBreak(events: readonly ReadEvent[], recorded: readonly IntentEvent[]) {
  const { chain_valid, breaks } = verifyChain(events, headOf(recorded));
  assert.equal(chain_valid, breaks.length === 0);
  return breaks[0] && `${breaks[0].kind} ${breaks[0].sequence}`;
}
