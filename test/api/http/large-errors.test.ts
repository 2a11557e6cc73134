import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { everyAttempt, type Attempt } from '../authorization/requests.js';
import { KEYS, createRig, type KeyName } from '../support/harness.js';
import { longestTurn } from './longest-turn.js';
import { wrongBodies, type Tried, type WrongBody } from './largest-bodies.js';

/*
 * Every operation of both APIs gets the largest wrong bodies that its schema has a place for, each just under the limit of
 * a body. Whatever is wrong, the reply is small, and the event loop is soon free again. Where operations of an API have the
 * very same field, one of them gets it.
 */

const REPLY_BYTES = 64 * 1024;
/** Milliseconds of computing that the event loop may not get to anything else. */
const TURN_MS = 250;
const TRIES = 4;

const ATTEMPTS = everyAttempt().filter(({ binding }) => binding.takesBody);

/** What the door for models takes, whose library judges it. */
const MESSAGE = z.object({
  id: z.string(),
  method: z.string(),
  params: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

interface Reply {
  readonly status: number;
  readonly text: string;
}

describe('the largest wrong body of every operation', () => {
  let server: Server;
  let url: string;
  before(async () => {
    const { app } = createRig();
    server = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function send(
    { binding, path }: Attempt,
    { text }: WrongBody,
    key: KeyName,
  ): Promise<Reply> {
    const reply = await fetch(url + path, {
      method: binding.method.toUpperCase(),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'If-Match': '3',
        'X-API-Key': KEYS[key],
      },
      body: text,
    });
    return { status: reply.status, text: await reply.text() };
  }

  /** A machine that is busy, or collects garbage, makes one try slow, and not each. */
  async function judged(attempt: Attempt, wrong: WrongBody, key: KeyName): Promise<Reply> {
    let least = Infinity;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { result, ms } = await longestTurn(() => send(attempt, wrong, key));
      least = Math.min(least, ms);
      if (least <= TURN_MS) return result;
    }
    assert.fail(`${attempt.name}: ${wrong.what} takes ${least} ms of one turn`);
  }

  const tried = new Map<string, Tried>();
  for (const attempt of ATTEMPTS) {
    const { bodySchema = MESSAGE } = attempt.binding;
    const [, api = ''] = attempt.path.split('/');
    const triedThere = tried.get(api) ?? { fields: new WeakSet(), kinds: new Set() };
    tried.set(api, triedThere);
    it(`of ${attempt.name} gets a small reply soon`, async () => {
      for (const wrong of wrongBodies(bodySchema, attempt.body as object, triedThere)) {
        const { status, text } = await judged(attempt, wrong, 'both');
        const about = `${attempt.name}: ${wrong.what}: ${status} ${text.slice(0, 300)}`;
        // An intent that is created is shown as it was sent.
        const isSmall = Buffer.byteLength(text) < REPLY_BYTES;
        assert.ok(isSmall || status < 300, `${about} (${text.length})`);
        assert.ok(status < 500, about);
      }
    });
  }
});
