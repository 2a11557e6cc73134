import { APPROVAL_ERRORS } from './errors/approvals.js';
import { CONTAINER_ERRORS } from './errors/containers.js';
import { INTENT_ERRORS } from './errors/intents.js';
import { QUESTION_ERRORS } from './errors/questions.js';
import { SERVICE_ERRORS } from './errors/service.js';

/**
 * Every error of Holdpoint with its HTTP status, title and meaning. The code is the `type` of an ApplicationFailure
 * inside Temporal, and the `code` of an RFC 9457 problem body in HTTP.
 */
export const ERRORS = {
  ...SERVICE_ERRORS,
  ...INTENT_ERRORS,
  ...QUESTION_ERRORS,
  ...APPROVAL_ERRORS,
  ...CONTAINER_ERRORS,
} as const;

/** The code of an error. */
export type ErrorCode = keyof typeof ERRORS;
