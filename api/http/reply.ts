import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Read } from '../gateway/caller.js';

/** A reply as a handler returns it. */
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

/** The version of an intent, a portfolio, a task or a plan as `ETag`, which `If-Match` takes. */
export function versionTag({ version }: { readonly version: number }): { readonly ETag: string } {
  return { ETag: `"${version}"` };
}

/** Marks a reply that may be older than the caller's last write. */
export function staleness({ stale }: Read<unknown>): { readonly 'Holdpoint-Stale'?: 'true' } {
  return stale ? { 'Holdpoint-Stale': 'true' } : {};
}

/** The lines of a file, and its last. */
interface Lines {
  readonly events: AsyncIterable<object>;
  readonly end: object;
}

async function* linesOf({ events, end }: Lines): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
  yield `${JSON.stringify(end)}\n`;
}

/**
 * Sends a log as NDJSON: one event a line, and last its end. If reading fails, the connection is cut, so that
 * nobody takes a part for the whole.
 */
export async function sendLog(res: Response, log: Lines): Promise<void> {
  res.type('application/x-ndjson');
  try {
    await pipeline(Readable.from(linesOf(log)), res);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The caller went away. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
