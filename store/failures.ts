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

/** Codes of Node's errors of a connection that cannot be made, or is lost. */
const LOST_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'];
/** What the driver says of one, without a code. */
const LOST_MESSAGE = /^Connection terminated|^timeout exceeded when trying to connect/;
/** A server that ends or starts, or has no connections left, and one that a connection was lost to. */
const AWAY_CODE = /^(?:08|53|57P)/;

/** Whether the store is away, so that any other statement would fail too. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as Error & { readonly code?: unknown };
  if (error instanceof pg.DatabaseError) return AWAY_CODE.test(String(code));
  return LOST_CODES.includes(String(code)) || LOST_MESSAGE.test(error.message);
}
