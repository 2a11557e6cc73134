import { Agent, type AgentOptions } from '../../../client/index.js';
import { FakeServer } from './fake-server.js';
import { INTENT, pending, ROUTES, settled } from './samples.js';

/** Pauses that end at once; each wished length is kept, in milliseconds. */
export class InstantPauses {
  readonly lengths: number[] = [];
  /** Is run in place of the n-th pause. */
  during: (nth: number) => Promise<void> | void = () => undefined;

  readonly pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    this.lengths.push(ms);
    await this.during(this.lengths.length);
    signal?.throwIfAborted();
  };
}

/** A started server with one question that is answered at once, and pauses that take no time. */
export async function withServer<T>(
  run: (server: FakeServer, pauses: InstantPauses) => Promise<T>,
): Promise<T> {
  const server = new FakeServer()
    .on(ROUTES.intent, { body: INTENT })
    .on(ROUTES.suspend, { status: 201, body: pending() })
    .on(ROUTES.wait, { body: settled() });
  await server.start();
  try {
    return await run(server, new InstantPauses());
  } finally {
    await server.stop();
  }
}

/** An agent of that server. */
export function agentOf(
  server: FakeServer,
  pauses: InstantPauses,
  options: Partial<AgentOptions> = {},
): Agent {
  const timers = { pause: pauses.pause };
  const logger = { warn: () => undefined };
  return new Agent({ baseUrl: server.url, apiKey: 'agent-key', timers, logger, ...options });
}
