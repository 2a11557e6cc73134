import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { LogExport } from '../gateway/types.js';

async function* linesOf({ events, end }: LogExport): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
  yield `${JSON.stringify(end)}\n`;
}

/**
 * Sends a log as NDJSON, one event a line and its end last, no faster than it is taken. Where reading
 * fails the connection is cut, so that nobody takes the part for the whole.
 */
export async function sendLog(res: Response, log: LogExport): Promise<void> {
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
