import assert from 'node:assert/strict';
import { remoteAsker } from '../../cli/mcp-stdio.js';
import { apiOf } from '../../cli/session.js';
import type { ConnectionOptions } from '../../client/connection.js';
import { SUSPENSION_ID, VIEW } from '../api/support/records.js';

const QUESTION = {
  question: 'Deploy?',
  request_key: 'deploy-7',
  response_type: 'confirm',
} as const;
/** After this time clients of the protocol have given a call up. */
const GIVEN_UP_S = 60;

type Answer = Response | 'hangs' | { readonly diesAfterSeconds: number };

/** A service that answers each request like this, on a clock that moves only as somebody waits. */
function serviceThat(answer: (path: string, nth: number) => Answer) {
  let now = 1_000;
  let patience = 0;
  const paths: string[] = [];
  const timers: ConnectionOptions['timers'] = {
    now: () => now,
    pause: async (ms) => void (now += ms),
    deadline(ms) {
      patience = ms;
      return new AbortController().signal;
    },
  };
  const fetch = async (url: string): Promise<Response> => {
    const { pathname, search } = new URL(url);
    paths.push(pathname + search);
    const said = answer(pathname, paths.length);
    if (said instanceof Response) return said;
    now += said === 'hangs' ? patience : said.diesAfterSeconds * 1_000;
    throw new TypeError('fetch failed');
  };
  const login = { url: 'http://127.0.0.1:4000', api_key: 'agent-key' };
  const terminal = { note: () => undefined };
  const asker = remoteAsker((withinSeconds) =>
    apiOf(login, terminal, { withinSeconds, timers, fetch }),
  );
  return { asker, paths, seconds: () => (now - 1_000) / 1_000 };
}

const { signal } = new AbortController();
const waits = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => /timeout_seconds=(\d+)/.exec(path)?.[1] ?? '-');

describe('the tools of holdpoint mcp', () => {
  for (const seconds of [0, 1, 25, 50]) {
    it(`answer in time where a wait of ${seconds} s meets a service that says nothing`, async () => {
      const service = serviceThat(() => 'hangs');
      await assert.rejects(service.asker.wait(SUSPENSION_ID, seconds, signal), {
        name: 'ConnectionError',
      });
      assert.ok(service.seconds() < GIVEN_UP_S, `${service.seconds()} s`);
    });
  }

  it('answer in time where it takes no question and no withdrawal', async () => {
    const asking = serviceThat(() => 'hangs');
    await assert.rejects(asking.asker.ask(QUESTION), { name: 'ConnectionError' });
    assert.ok(asking.seconds() < GIVEN_UP_S, `${asking.seconds()} s`);
    const withdrawing = serviceThat(() => 'hangs');
    await assert.rejects(withdrawing.asker.withdraw(SUSPENSION_ID, undefined), {
      name: 'ConnectionError',
    });
    await assert.rejects(withdrawing.asker.wait(SUSPENSION_ID, 0, signal), {
      name: 'ConnectionError',
    });
    assert.ok(withdrawing.seconds() < GIVEN_UP_S, `${withdrawing.seconds()} s`);
  });

  it('wait for the seconds that are left, where the service dies meanwhile', async () => {
    const service = serviceThat((_path, nth) =>
      nth === 1 ? { diesAfterSeconds: 30 } : Response.json(VIEW),
    );
    await service.asker.wait(SUSPENSION_ID, 50, signal);
    assert.deepEqual(waits(service.paths), ['50', '20']);
  });

  it('make no pause that lasts longer than there is time', async () => {
    const busy = { code: 'busy', detail: 'Busy.', status: 429 };
    const headers = { 'retry-after': '58' };
    const service = serviceThat(() => Response.json(busy, { status: 429, headers }));
    await assert.rejects(service.asker.ask(QUESTION), { code: 'busy' });
    assert.equal(service.seconds(), 0);
  });
});
