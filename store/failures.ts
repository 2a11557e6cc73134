import pg from 'pg';

/**
 * Classes of SQLSTATE after which the same statement may succeed: a connection failure, a serialization failure, no
 * resources, an object in use, an intervention of an operator or a timeout, and a system error.
 */
const PASSING_CLASSES = new Set(['08', '40', '53', '55', '57', '58']);
/** The server has become a standby, or ended an idle transaction. */
const PASSING_CODES = new Set(['25006', '25P03']);

/** Defects of our own code; every error of a connection is a plain Error. */
const DEFECTS = [TypeError, RangeError, SyntaxError, ReferenceError];

/**
 * Whether the same statement would always fail, because PostgreSQL refuses its values, syntax or rights. An error without
 * a SQLSTATE counts as a lost connection, unless it is a defect.
 */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return DEFECTS.some((kind) => error instanceof kind);
  const { code = '' } = error;
  return !PASSING_CLASSES.has(code.slice(0, 2)) && !PASSING_CODES.has(code);
}

/** Returns the loggable parts of an error. The server's message is left out, because it may quote values. */
export function failureOf(error: unknown): object {
  return error instanceof pg.DatabaseError ? { sqlstate: error.code } : { err: error };
}

/** Node's error codes for a connection that fails or is lost. */
const LOST_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'];
/** The driver's messages for the same, without a code. */
const LOST_MESSAGE = /^Connection terminated|^timeout exceeded when trying to connect/;
/** The server starts, stops, has no free connections, or the connection was lost. */
const AWAY_CODE = /^(?:08|53|57P)/;

/** Whether the store is away, so that any other statement would fail too. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as Error & { readonly code?: unknown };
  if (error instanceof pg.DatabaseError) return AWAY_CODE.test(String(code));
  return LOST_CODES.includes(String(code)) || LOST_MESSAGE.test(error.message);
}
