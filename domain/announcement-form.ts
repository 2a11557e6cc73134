import type { Announcement, PortfolioAnnouncement } from '../contracts/announcement.js';
import { isInstant, isObject } from './message-form.js';

const STATUSES: ReadonlySet<unknown> = new Set([
  ...['draft', 'active', 'blocked', 'suspended_awaiting_input', 'completed', 'abandoned'],
]);
const RESOLUTIONS: ReadonlySet<unknown> = new Set([null, 'responded', 'expired', 'cancelled']);
/** Temporal takes workflow ids of up to 1,000 characters. */
const ID_CHARACTERS = 1_000;

/**
 * Whether a message is formed like an announcement, so that taking it in cannot fail: a Signal has no
 * validator, and whoever reaches Temporal can send one.
 */
export function isAnnouncement(message: unknown): message is Announcement {
  if (!isObject(message)) return false;
  const { intent_id, version, last_sequence, status, held, holds, suspension } = message;
  return (
    typeof intent_id === 'string' &&
    Number.isInteger(version) &&
    Number.isInteger(last_sequence) &&
    STATUSES.has(status) &&
    typeof held === 'boolean' &&
    Number.isInteger(holds) &&
    (suspension === null || isSuspension(suspension)) &&
    (message['suspended_since'] === undefined || isInstant(message['suspended_since'])) &&
    isOptionalText(message['abandonment_reason']) &&
    isOptionalText(message['dependents_held_by'])
  );
}

/** Whether a message is formed like what a portfolio announces. */
export function isPortfolioAnnouncement(message: unknown): message is PortfolioAnnouncement {
  if (!isObject(message)) return false;
  const { portfolio_id, version, last_sequence } = message;
  return (
    typeof portfolio_id === 'string' && Number.isInteger(version) && Number.isInteger(last_sequence)
  );
}

/** Whether a message can be the workflow id of an observer. */
export function isObserver(message: unknown): message is string {
  return typeof message === 'string' && message !== '' && message.length <= ID_CHARACTERS;
}

function isSuspension(value: unknown): boolean {
  if (!isObject(value)) return false;
  return (
    typeof value['suspension_id'] === 'string' &&
    isInstant(value['suspended_at']) &&
    isInstantOrNull(value['expires_at']) &&
    Number.isInteger(value['attempt']) &&
    RESOLUTIONS.has(value['resolution']) &&
    isInstantOrNull(value['settled_at'])
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isInstantOrNull(value: unknown): boolean {
  return value === null || isInstant(value);
}
