import type { KyselyPlugin } from 'kysely';
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../store/schema.js';

/** Of two answers one comes at once, and the other by so much later at most (ms); of a hundred three by the longer time. */
const SHORT_MS = 80;
const LONG_MS = 500;
/** Of four requests of a browser one is held up so long, on its way there or back (ms). */
const BROWSER_MS = 1_500;

/** What holds answers up, each by another time, so that everything is met in other orders; nothing without a seed. */
export class Delays {
  private readonly wait: (ms: number) => Promise<unknown>;
  /** Numbers from 0 to 1, the same ones after the same seed. */
  private readonly random: (() => number) | undefined;

  constructor(seed: string | undefined, wait: (ms: number) => Promise<unknown> = pause) {
    this.wait = wait;
    let count = 0;
    const next = () =>
      createHash('sha256')
        .update(`${seed} ${(count += 1)}`)
        .digest();
    this.random = seed === undefined ? undefined : () => next().readUInt32BE() / 2 ** 32;
  }

  private async late(random: () => number): Promise<void> {
    if (random() < 0.5) return;
    await this.wait(random() < 0.06 ? LONG_MS : random() * SHORT_MS);
  }

  /** The same functions; each call, and its answer, takes its time on the way. */
  calls<T extends object>(functions: T): T {
    const { random } = this;
    if (!random) return functions;
    const calls = Object.entries<(...args: never[]) => Promise<unknown>>({ ...functions } as never);
    const slow = calls.map(([name, fn]) => [
      name,
      async (...args: never[]) => {
        await this.late(random);
        const answer = await fn(...args);
        await this.late(random);
        return answer;
      },
    ]);
    return Object.fromEntries(slow) as T;
  }

  /** The same store, whose answers take their time on the way. */
  store<S extends { readonly db: Store }>(store: S): S {
    const { random } = this;
    if (!random) return store;
    const late: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => this.late(random).then(() => result),
    };
    return { ...store, db: store.db.withPlugin(late) };
  }

  /** The same server, to which some requests of browsers come late, and some of whose replies come late to them. */
  server(listener: RequestListener): RequestListener {
    const { random } = this;
    if (!random) return listener;
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const isBrowser = /Mozilla/.test(request.headers['user-agent'] ?? '');
      if (isBrowser && random() < 0.13) await this.wait(BROWSER_MS);
      const end = response.end.bind(response) as (...args: unknown[]) => void;
      const endLate = (...args: unknown[]): void =>
        void this.wait(BROWSER_MS).then(() => end(...args));
      if (isBrowser && random() < 0.13) Object.assign(response, { end: endLate });
      listener(request, response);
    };
    return (request, response) => void serve(request, response);
  }
}

/** Those of this run. */
export const DELAYS = new Delays(process.env['HOLDPOINT_TEST_DELAYS']);
