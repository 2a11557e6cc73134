import { setTimeout as pause } from 'node:timers/promises';

/** Longer than a busy machine needs to bring back what was killed, and less than the suite may take. */
const PATIENCE_MS = 600_000;
const PAUSE_MS = 200;

/** What an API answered in the end; the body is JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Calls an API that may be killed at any moment. */
export interface Caller {
  /**
   * Sends a request until it is answered, whatever dies meanwhile; a repetition has the same key and body. Rejects after
   * ten minutes without an answer.
   */
  send(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<Reply>;
}

/** Calls with one API key. */
export function callerFor(baseUrl: string, apiKey: string): Caller {
  return {
    async send(method, path, body, key) {
      const headers = {
        'X-API-Key': apiKey,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const until = performance.now() + PATIENCE_MS;
      let last = 'nothing was sent';
      while (performance.now() < until) {
        try {
          const reply = await fetch(`${baseUrl}${path}`, init);
          const text = await reply.text();
          if (reply.status < 500 && reply.status !== 429) {
            return { status: reply.status, body: JSON.parse(text) as unknown };
          }
          last = `${reply.status} ${text}`;
        } catch (error) {
          last = String(error);
        }
        await pause(PAUSE_MS);
      }
      throw new Error(`${method} ${path} was not answered: ${last}`);
    },
  };
}
