import type { Refusal } from '../../contracts/refusal.js';
import { RefusalError } from '../errors.js';
import type { FieldIssue } from '../../contracts/field-issues.js';

/** A 422 that tells every field at fault, not the first one only. */
export class InvalidInputError extends RefusalError {
  readonly issues: readonly FieldIssue[];

  constructor(refusal: Refusal, issues: readonly FieldIssue[]) {
    super(refusal);
    this.issues = issues;
  }
}
