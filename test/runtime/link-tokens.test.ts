import { EncryptJWT } from 'jose';
import assert from 'node:assert/strict';
import type { LinkContent } from '../../contracts/channel/links.js';
import { linkMaker, linkOpener, loadLinkKeys, type LinkKeys } from '../../runtime/link-tokens.js';
import { newKey } from '../../runtime/own-secrets.js';

const NOW = Date.parse('2026-11-25T10:00:00.000Z');
const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const CONTENT: LinkContent = {
  space: 'default',
  person: 'ana',
  suspension_id: '5f0c8a52-6d0e-4d0e-9c4a-2f6a3b1c7d90',
  question_version: 1,
};

async function tokenBy(
  keys: LinkKeys,
  expiresAt?: string,
  content: LinkContent = CONTENT,
): Promise<string> {
  const link = await linkMaker('https://hold.example.com', keys, () => NOW)(content, expiresAt);
  const [page, token = ''] = link.split('#');
  assert.equal(page, 'https://hold.example.com/inbox/link');
  return token;
}
const open = (token: string, keys: LinkKeys = [NEW], now = NOW) =>
  linkOpener(keys, () => now)(token);

describe('the token of a link', () => {
  it('opens to what it was made for, and shows nothing of it before [R25-100] [AM-45]', async () => {
    const token = await tokenBy([NEW], '2026-11-25T12:00:00.000Z');
    assert.deepEqual(await open(token), {
      content: CONTENT,
      expires_at: '2026-11-25T12:00:00.000Z',
      expired: false,
    });
    const readable = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.doesNotMatch(readable.join(' '), /5f0c8a52|ana|default/);
  });

  it('expires with the question, and after 30 days at the latest', async () => {
    const opened = await open(await tokenBy([NEW]));
    assert.equal(opened?.expires_at, '2026-12-25T10:00:00.000Z');
    const late = await open(await tokenBy([NEW], '2027-11-25T10:00:00.000Z'));
    assert.equal(late?.expires_at, '2026-12-25T10:00:00.000Z');
  });

  it('says that it has expired, and still what it was for', async () => {
    const token = await tokenBy([NEW], '2026-11-25T12:00:00.000Z');
    const opened = await open(token, [NEW], Date.parse('2026-11-25T12:00:01.000Z'));
    assert.deepEqual([opened?.expired, opened?.content], [true, CONTENT]);
  });

  it('opens with a key of before, and not without it', async () => {
    const token = await tokenBy([OLD]);
    assert.deepEqual((await open(token, [NEW, OLD]))?.content, CONTENT);
    assert.equal(await open(token, [NEW]), undefined);
  });

  it('does not open once a character is another', async () => {
    const token = await tokenBy([NEW]);
    for (const at of [3, token.indexOf('..') + 4, token.length - 30, token.length - 3]) {
      const other = token[at] === 'A' ? 'B' : 'A';
      assert.equal(await open(`${token.slice(0, at)}${other}${token.slice(at + 1)}`), undefined);
    }
  });

  it('does not open if it is another kind of text', async () => {
    const jwt = (claims: object) =>
      new EncryptJWT({ ...claims }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
    const noAudience = await jwt(CONTENT).setExpirationTime('1h').encrypt(NEW);
    const noTime = await jwt(CONTENT).setAudience('holdpoint-link').encrypt(NEW);
    for (const text of ['', 'x', 'a.b.c', 'a.b.c.d.e', noAudience, noTime]) {
      assert.equal(await open(text), undefined, text);
    }
  });
});

describe('the keys of links', () => {
  it('are 32 bytes each, with commas between them', () => {
    const [one, two] = [newKey(), newKey()];
    assert.equal(loadLinkKeys({}), undefined);
    assert.deepEqual(
      loadLinkKeys({ HOLDPOINT_LINK_KEYS: `${one}, ${two}` })?.map((key) => key.length),
      [32, 32],
    );
  });

  it('are refused without being repeated', () => {
    for (const text of ['short', `${newKey()},`, `${newKey()},c2VjcmV0`]) {
      assert.throws(
        () => loadLinkKeys({ HOLDPOINT_LINK_KEYS: text }),
        (error: Error) => !error.message.includes(text) && error.message.includes('openssl rand'),
      );
    }
  });
});
