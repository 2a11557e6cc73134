import { Agent } from '../../../client/index.js';
import { SEEDS } from '../../support/secrets.js';

interface Sent {
  readonly call: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** An agent whose every request gets this reply, and what it sent. */
export function agentThatGets(body: unknown, status = 200): { agent: Agent; sent: Sent[] } {
  const sent: Sent[] = [];
  const agent = new Agent({
    baseUrl: 'http://holdpoint.test',
    apiKey: SEEDS.agentKey,
    fetch: async (url, { method = '', headers, body: text }) => {
      const { pathname, search } = new URL(url);
      const given: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
      const call = `${method} ${pathname}${search}`;
      sent.push({ call, headers: new Headers(headers), body: given });
      const reply: unknown = typeof body === 'function' ? (body as () => unknown)() : body;
      return new Response(JSON.stringify(reply), { status });
    },
  });
  return { agent, sent };
}
