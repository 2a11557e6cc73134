/** Replaces an erased text in a required field. */
export const ERASED_TEXT = '[erased]';

/**
 * Replaces the hash of a request, which could confirm a guess. Any request under the same key then counts as the
 * same.
 */
export const FORGOTTEN_HASH = '';

/** Replaces the hash of a proposal, which has a fixed format. */
export const FORGOTTEN_PROPOSAL_HASH = '0'.repeat(64);

/** The event that names the erased payloads of a log; its own payload stays. */
export const ERASURE_EVENT = 'personal_data_erased';

/**
 * The fields that an erased record keeps: its identity, when it was asked, how it ended, and who decided. None is
 * free text. The migration of the store names the same fields.
 */
export const KEPT_RECORD_FIELDS = [
  'id',
  'response_type',
  'suspended_at',
  'timeout_seconds',
  'expires_at',
  'fallback_policy',
  'question_version',
  'amended_at',
  'responded_at',
  'resolution',
  'responded_by',
  'submitted_by',
  'settled_by',
  'settled_at',
] as const;
