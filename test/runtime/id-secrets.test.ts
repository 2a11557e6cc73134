import assert from 'node:assert/strict';
import { createCreationOf } from '../../api/parts/calls/once.js';
import { hashJson, sha256Hex, uuidFrom } from '../../domain/kernel/hashing.js';
import { demandIdSecrets, loadIdSecrets } from '../../runtime/own-secrets.js';

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(40)];
const load = (text: string) => loadIdSecrets({ HOLDPOINT_ID_SECRETS: text });

describe('the secrets of ids', () => {
  it('are a list, of which the first one counts', () => {
    assert.deepEqual(load(`${FIRST}, ${SECOND}`), [FIRST, SECOND]);
    assert.equal(load(' '), undefined);
    assert.throws(() => demandIdSecrets({}), /HOLDPOINT_ID_SECRETS is not set/);
  });

  it('are refused if one is short, without showing it', () => {
    for (const text of [`${FIRST},hunter2`, `${FIRST},`]) {
      assert.throws(() => load(text), /^StartupError: HOLDPOINT_ID_SECRETS: secret 2 must have/);
    }
  });
});

describe('an id that follows from a key', () => {
  const ALICE = { space: 'default', principal: 'alice' };
  const idOf = (secret: string, caller = ALICE, key = 'key-1') =>
    createCreationOf([secret])('intent', caller, key, {}).id;

  it('is the same for the same caller and key, and for no other', () => {
    assert.equal(idOf(FIRST), idOf(FIRST));
    const others = [
      idOf(SECOND),
      idOf(FIRST, { ...ALICE, space: 'eu' }),
      idOf(FIRST, { ...ALICE, principal: 'bob' }),
      idOf(FIRST, ALICE, 'key-2'),
      idOf(FIRST, { ...ALICE, principal: 'alice","key-1' }, ''),
    ];
    assert.equal(new Set([idOf(FIRST), ...others]).size, 6);
  });

  it('cannot be computed without the secret', () => {
    const plain = ['intent', 'alice', 'key-1'];
    const guesses = [
      uuidFrom(plain.join('\0')),
      uuidFrom(JSON.stringify(['intent', 'default', 'alice', 'key-1'])),
      uuidFrom(hashJson(plain)),
      uuidFrom(sha256Hex(plain.join('\0'))),
    ];
    assert.ok(!guesses.includes(idOf(FIRST)));
  });

  it('comes with those of retired secrets, for look-ups', () => {
    const creation = createCreationOf([SECOND, FIRST])('intent', ALICE, 'key-1', { a: 1 });
    assert.equal(creation.id, idOf(SECOND));
    assert.deepEqual(
      creation.retired.map(({ id, creation_hash }) => [id, creation_hash]),
      [[idOf(FIRST), creation.creation_hash]],
    );
  });

  it('is random without a key', () => {
    const create = createCreationOf([FIRST]);
    const made = () => create('intent', ALICE, undefined, {});
    assert.notEqual(made().id, made().id);
    assert.equal(made().creation_hash, undefined);
  });
});
