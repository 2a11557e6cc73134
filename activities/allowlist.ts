import { undeliverable } from './undeliverable.js';

/**
 * Passes a recipient that may be notified: everyone where no list is configured, and null, which
 * leaves the recipient to the channel (R26-88). Identities are compared as they are written.
 *
 * @throws ApplicationFailure `recipient_not_allowed`, non-retryable, with the recipient as details.
 */
export function assertAllowedRecipient(
  notifyTo: string | null,
  allowed: readonly string[] | undefined,
): void {
  if (allowed === undefined || notifyTo === null || allowed.includes(notifyTo)) return;
  throw undeliverable(
    'recipient_not_allowed',
    `"${notifyTo}" is not among the recipients that may be notified`,
    { notify_to: notifyTo },
  );
}
