import pg from 'pg';

/**
 * Classes of SQLSTATE after which the same statement may succeed: no connection, a transaction that lost to
 * another, no resources, an object in use, an operator or a timeout that ended it, and a fault of the system.
 */
const PASSING_CLASSES = new Set(['08', '40', '53', '55', '57', '58']);
/** The server has become a standby, or ended a transaction that was idle. */
const PASSING_CODES = new Set(['25006', '25P03']);

/** Defects of our own code; every error of a connection is a plain Error. */
const DEFECTS = [TypeError, RangeError, SyntaxError, ReferenceError];

/**
 * Whether the same statement would fail again, however often it is tried: PostgreSQL refuses its values, its
 * form or its rights. Everything without a SQLSTATE is taken for a lost connection, unless it is a defect.
 */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return DEFECTS.some((kind) => error instanceof kind);
  const { code = '' } = error;
  return !PASSING_CLASSES.has(code.slice(0, 2)) && !PASSING_CODES.has(code);
}

/** What may be logged of a failed statement. A message of the server is left out, for it may quote values. */
export function failureOf(error: unknown): object {
  return error instanceof pg.DatabaseError ? { sqlstate: error.code } : { err: error };
}
