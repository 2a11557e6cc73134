import assert from 'node:assert/strict';
import type { ConnectionLike } from '@temporalio/client';
import { describe, it } from 'mocha';
import type { TemporalConnectionOptions } from '../../temporal-config/connection.js';
import {
  Credentials,
  FollowedConnection,
  followCredentials,
} from '../../temporal-config/credentials.js';

const FIRST: TemporalConnectionOptions = { address: 't.test:7233', apiKey: 'old' };

/** Credentials in a variable in place of files, and what became of them. */
function bench(
  take: (options: TemporalConnectionOptions) => Promise<void> = async () => undefined,
) {
  const files: { found: TemporalConnectionOptions | Error } = { found: FIRST };
  const taken: TemporalConnectionOptions[] = [];
  const lines: string[] = [];
  const credentials = new Credentials({
    first: FIRST,
    read: () => {
      if (files.found instanceof Error) throw files.found;
      return files.found;
    },
    take: async (options) => {
      await take(options);
      taken.push(options);
    },
    log: {
      info: (message) => lines.push(message),
      error: (fields, message) => lines.push(`${message}: ${JSON.stringify(fields)}`),
    },
  });
  const look = async (times: number) => {
    for (let time = 0; time < times; time += 1) await credentials.look();
  };
  return { files, taken, lines, look };
}

describe('the credentials for Temporal', () => {
  it('are taken once two looks in a row have found them', async () => {
    const { files, taken, lines, look } = bench();
    files.found = { ...FIRST, apiKey: 'half' };
    await look(1);
    files.found = { ...FIRST, apiKey: 'new' };
    await look(1);
    assert.deepEqual(taken, []);
    await look(3);
    assert.deepEqual(taken, [{ ...FIRST, apiKey: 'new' }]);
    assert.deepEqual(lines, ['the credentials for Temporal were read again']);
  });

  it('are taken when a certificate has changed, compared by its content', async () => {
    const tls = (crt: string) => ({
      clientCertPair: { crt: Buffer.from(crt), key: Buffer.from('key') },
    });
    const { files, taken, look } = bench();
    files.found = { ...FIRST, tls: tls('b') };
    await look(2);
    files.found = { ...FIRST, tls: tls('b') };
    await look(2);
    assert.equal(taken.length, 1);
  });

  it('stay while the files cannot be read, which is logged once', async () => {
    const { files, taken, lines, look } = bench();
    files.found = new Error('ENOENT: no such file');
    await look(3);
    assert.deepEqual(taken, []);
    assert.deepEqual(lines, [
      'new credentials for Temporal cannot be used: the old ones stay: {"reason":"ENOENT: no such file"}',
    ]);
  });

  it('are tried again until Temporal takes them', async () => {
    let isKnown = false;
    const { files, taken, lines, look } = bench(async () => {
      if (!isKnown) throw new Error('Request unauthorized');
    });
    files.found = { ...FIRST, apiKey: 'new' };
    await look(3);
    assert.deepEqual(taken, []);
    isKnown = true;
    await look(2);
    assert.equal(taken.length, 1);
    assert.equal(lines.length, 2);
  });

  it('never lead to another server', async () => {
    const { files, taken, look } = bench();
    files.found = { address: 'other.test:7233', apiKey: 'new' };
    await look(2);
    assert.deepEqual(taken, [{ ...FIRST, apiKey: 'new' }]);
  });
});

/** A connection whose service is itself, so that a test sees which one was used. */
function fakeConnection() {
  const closed: string[] = [];
  const make = (name: string) =>
    ({
      workflowService: name,
      withDeadline: (_deadline: number, work: () => unknown) => work(),
      close: async () => void closed.push(name),
    }) as unknown as ConnectionLike;
  return { make, closed };
}

describe('a followed connection', () => {
  it('is none where there are no credentials', () => {
    const { make } = fakeConnection();
    const connection = make('plain');
    const followed = followCredentials({
      connection,
      first: { address: 't.test:7233' },
      read: () => FIRST,
      open: async () => make('other'),
      log: { info: () => undefined, error: () => undefined },
      signal: AbortSignal.abort(),
    });
    assert.equal(followed, connection);
  });

  it('keeps what has begun on its connection, and begins the rest on the new one', async () => {
    const { make } = fakeConnection();
    const followed = new FollowedConnection(make('old'), 't.test:7233');
    const used = await followed.withDeadline(0, async () => {
      followed.replace(make('new'));
      await Promise.resolve();
      return followed.workflowService;
    });
    assert.deepEqual([used, followed.workflowService], ['old', 'new']);
  });

  it('closes the connections before it with itself', async () => {
    const { make, closed } = fakeConnection();
    const followed = new FollowedConnection(make('a'), 't.test:7233');
    followed.replace(make('b'));
    followed.replace(make('c'));
    await followed.close();
    assert.deepEqual(closed.sort(), ['a', 'b', 'c']);
  });
});
