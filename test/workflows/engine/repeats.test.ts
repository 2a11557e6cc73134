import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { Repeats } from '../../../workflows/engine/repeats.js';

const once = (key: string, body_hash = 'same') => ({ key, body_hash });

function written(repeats: Repeats, key: string, result: unknown): void {
  repeats.begin(once(key));
  repeats.end(once(key), result);
}

function codeOf(repeats: Repeats, key: string, body_hash?: string): string | undefined {
  const found = repeats.find(once(key, body_hash));
  return found.ok ? undefined : found.refusal.code;
}

describe('what a run knows of writes under keys', () => {
  it('is their results, also in the next run', () => {
    const repeats = new Repeats();
    assert.deepEqual(repeats.find(once('a')), { ok: true, value: undefined });
    written(repeats, 'a', { sequence: 3 });
    for (const one of [repeats, new Repeats(repeats.carried)]) {
      assert.deepEqual(one.find(once('a')), { ok: true, value: { result: { sequence: 3 } } });
      assert.equal(codeOf(one, 'a', 'other'), 'idempotency_key_reused');
    }
  });

  it('hands nothing over where no write had a key', () => {
    assert.deepEqual(new Repeats().carried, {});
  });

  it('is that a write was done, where its result is too large or not there', () => {
    const repeats = new Repeats();
    written(repeats, 'large', 'x'.repeat(WORKFLOW_LIMITS.keptResultBytes));
    repeats.begin(once('begun'));
    for (const key of ['large', 'begun']) assert.equal(codeOf(repeats, key), 'written_before');
  });

  it('forgets the oldest, and stays small', () => {
    const repeats = new Repeats();
    const all = Array.from({ length: WORKFLOW_LIMITS.keptWrites + 1 }, (_, n) => `key ${n}`);
    for (const key of all) written(repeats, key, 'x'.repeat(1_000));
    assert.deepEqual(repeats.find(once('key 0')), { ok: true, value: undefined });
    assert.equal(codeOf(repeats, 'key 1'), 'written_before');
    assert.equal(codeOf(repeats, all.at(-1) ?? ''), undefined);
    assert.ok(jsonBytes(repeats.carried) < 20_000);
  });

  it('is neither results nor hashes after an erasure, and nothing is done again', () => {
    const repeats = new Repeats();
    written(repeats, 'a', 'personal');
    repeats.forget();
    assert.deepEqual(repeats.carried, { writes: [{ key: 'a' }] });
    assert.equal(codeOf(repeats, 'a', 'any'), 'written_before');
  });

  it('takes no malformed key', () => {
    for (const malformed of [5, {}, { key: 'a' }, once('x'.repeat(201))]) {
      assert.equal(new Repeats().find(malformed as never).ok, false);
    }
  });
});
