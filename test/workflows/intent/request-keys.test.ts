import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { RequestKeys } from '../../../workflows/intent/memory.js';
import { INTENT_ID, granted, refused } from '../../domain/samples.js';

const asked = (key: string) => ({ key, body_hash: 'f'.repeat(64) });

/** An intent that was asked so often, each time under another key. */
function keysAfter(questions: number, keyOf = (number: number) => `k${number}`): RequestKeys {
  const keys = new RequestKeys();
  for (let number = 0; number < questions; number += 1) {
    keys.add({ ...asked(keyOf(number)), suspension_id: `question ${number}` });
  }
  return keys;
}

describe('the keys under which an intent was asked', () => {
  it('give the question of each, as long as none is forgotten', () => {
    const keys = keysAfter(2);
    assert.equal(granted(keys.find(asked('k0'), false)), 'question 0');
    assert.equal(granted(keys.find(asked('new'), false)), undefined);
    assert.equal(granted(keys.find(undefined, false)), undefined);
    const other = { ...asked('k0'), body_hash: 'another' };
    assert.equal(refused(keys.find(other, false)).code, 'request_key_reused');
  });

  it('take no old key for a new one beyond 500: only the store knows it', () => {
    const keys = keysAfter(WORKFLOW_LIMITS.keptRequestKeys + 1);
    const { code, field } = refused(keys.find(asked('k0'), false));
    assert.deepEqual([code, field], ['request_key_forgotten', 'request_key']);
    assert.equal(granted(keys.find(asked('k0'), true)), undefined);
    const latest = WORKFLOW_LIMITS.keptRequestKeys;
    assert.equal(granted(keys.find(asked(`k${latest}`), false)), `question ${latest}`);
  });

  it('are carried in a size, and with them that others are forgotten', () => {
    const wide = '\u0001'.repeat(LIMITS.nameCharacters - 3);
    const { carried } = keysAfter(100, (number) => `${wide}${number}`);
    assert.ok(jsonBytes(carried.request_keys) <= WORKFLOW_LIMITS.keptRequestKeyBytes);
    const next = new RequestKeys(carried);
    assert.equal(refused(next.find(asked(`${wide}0`), false)).code, 'request_key_forgotten');
    assert.deepEqual(next.carried, carried);
    assert.deepEqual(keysAfter(1).carried, {
      request_keys: [{ ...asked('k0'), suspension_id: 'question 0' }],
    });
  });

  it('are the same for whatever is asked, once that is erased', () => {
    const keys = keysAfter(1);
    keys.forget();
    const other = { ...asked('k0'), body_hash: INTENT_ID };
    assert.equal(granted(keys.find(other, false)), 'question 0');
  });
});
