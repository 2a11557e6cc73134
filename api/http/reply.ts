import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WRITTEN_HEADER } from '../../contracts/constants/headers.js';
import type { Parts } from '../parts/index.js';
import type { Read } from '../parts/caller.js';

export interface Reply<Status extends number, Body, Headers> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
}

/** Builds a reply; its status, body and headers have to be among those the route declares. */
export function reply<const Status extends number, const Body, const Headers extends object>(
  status: Status,
  body: Body,
  headers?: Headers,
): Reply<Status, Body, Headers | undefined> {
  return { status, body, headers };
}

/** Returns the version of an intent, a portfolio, a task or a plan as `ETag`, which `If-Match` takes. */
export function versionTag({ version }: { readonly version: number }): { readonly ETag: string } {
  return { ETag: `"${version}"` };
}

/** Marks a reply that may be older than the caller's last write. */
export function staleness({ stale }: Read<unknown>): { readonly 'Holdpoint-Stale'?: 'true' } {
  return stale ? { 'Holdpoint-Stale': 'true' } : {};
}

/** Returns a function that sets `Server-Timing`: how long the writes of the request have waited for their turn. */
export function tellWait(res: Response): (ms: number) => void {
  return (ms) => {
    if (!res.headersSent) res.setHeader('Server-Timing', `place;dur=${ms}`);
  };
}

/** Returns the header that names what the request has written, for later reads at other replicas. */
export async function writtenBy({ parts }: { readonly parts: Pick<Parts, 'writtenHeader'> }) {
  const written = await parts.writtenHeader.ofRequest();
  return written === undefined ? {} : { [WRITTEN_HEADER]: written };
}

interface Lines {
  readonly events: AsyncIterable<object>;
  readonly end: object;
}

async function* linesOf({ events, end }: Lines): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
  yield `${JSON.stringify(end)}\n`;
}

/**
 * Sends a log as NDJSON: one event a line, and last its end. A failed read cuts the connection, so that nobody takes
 * a part for the whole.
 */
export async function sendLog(res: Response, log: Lines): Promise<void> {
  res.type('application/x-ndjson');
  try {
    await pipeline(Readable.from(linesOf(log)), res);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
