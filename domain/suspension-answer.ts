import type { Answer } from './suspension-state.js';
import { readInstant, toMillis } from './time.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a message is an answer at all. Nobody has checked a Signal before the workflow reads it, and
 * a handler that stumbles over a missing field would fail its task for ever (design §4).
 */
export function isAnswer(given: unknown): given is Answer {
  if (!isObject(given) || !isObject(given['answer'])) return false;
  const { value, metadata, answer } = given;
  const { key, body_hash } = answer;
  const texts = [
    given['intent_id'] ?? '',
    given['responded_by'],
    given['submitted_by'],
    key,
    body_hash,
  ];
  const complete = texts.every((text) => typeof text === 'string');
  return complete && value !== undefined && (metadata === undefined || isObject(metadata));
}

/** Whether a message is a withdrawal at all; for the Signal of that name. */
export function isWithdrawal(given: unknown): boolean {
  if (!isObject(given)) return false;
  const { intent_id, cancelled_by, settled_by, reason } = given;
  return (
    typeof (intent_id ?? '') === 'string' &&
    typeof cancelled_by === 'string' &&
    typeof settled_by === 'string' &&
    (reason === undefined || typeof reason === 'string')
  );
}

/**
 * When an answer handed in by Signal counts, in ms: when it was received, but neither before the
 * question was asked nor in the future. One without a readable instant counts from `now`.
 */
export function arrivalOf(receivedAt: unknown, suspendedAt: string, now: number): number {
  const received = readInstant(receivedAt);
  if (received === undefined) return now;
  return Math.min(now, Math.max(toMillis(suspendedAt), toMillis(received)));
}

function isObject(given: unknown): given is Fields {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
