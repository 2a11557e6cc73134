import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, it } from 'mocha';
import express from 'express';
import { startInTurns } from '../../../api/http/middleware.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests that come in the same moment', () => {
  it('start in their order, one in each turn of the event loop', async () => {
    const start = startInTurns();
    const started: string[] = [];
    const { request, response } = express();
    const come = (name: string): void => {
      void start(request, response, () => void started.push(name));
    };
    for (const name of ['first', 'second', 'third']) come(name);
    assert.deepEqual(started, []);
    await nextTurn();
    assert.deepEqual(started, ['first']);
    come('late');
    await nextTurn();
    assert.deepEqual(started, ['first', 'second']);
    await nextTurn();
    await nextTurn();
    assert.deepEqual(started, ['first', 'second', 'third', 'late']);
    come('alone');
    await nextTurn();
    assert.deepEqual(started, ['first', 'second', 'third', 'late', 'alone']);
  });

  it('go on in their own contexts, not in that of the first', async () => {
    const start = startInTurns();
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const { request, response } = express();
    for (const name of ['first', 'second']) {
      context.run(name, () => void start(request, response, () => seen.push(context.getStore())));
    }
    await nextTurn();
    await nextTurn();
    assert.deepEqual(seen, ['first', 'second']);
  });
});
