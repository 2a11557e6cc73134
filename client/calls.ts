import type { Connection } from './connection.js';

/** What a caller gives of a request: the fields without a default, and any other. */
export type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

export interface CreationOptions {
  /** Makes repeats, also of another process, return what the first created. */
  readonly idempotencyKey?: string;
}

/** One read; `query` values that are undefined are left out. */
export async function read(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<unknown> {
  return (await connection.send({ method: 'GET', path, query, repeatable: 'always' })).body;
}

/** One creation: repeated after a lost reply only under an Idempotency-Key. */
export async function create(
  connection: Connection,
  path: string,
  body: object,
  key?: string,
): Promise<unknown> {
  const repeatable = key === undefined ? 'undelivered' : 'always';
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return (await connection.send({ method: 'POST', path, headers, body, repeatable })).body;
}
