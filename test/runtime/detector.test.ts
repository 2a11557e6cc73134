import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { detectSecrets } from '../../runtime/secrets.js';
import { CREDENTIALS, NAMED_SECRET, TOKEN } from '../support/secrets.js';

const HARMLESS: Readonly<Record<string, string>> = {
  'an ordinary question': 'Should we refund order #12345 of 120.00 EUR?',
  'a UUID': '8f14e45f-ceea-467f-a0e6-3d1b5c2a9f11',
  'an e-mail address': 'ada.lovelace+orders@example.com',
  'the hash of a commit': createHash('sha1').update('x').digest('hex'),
  'a SHA-256': createHash('sha256').update('x').digest('hex'),
  'an image': `data:image/png;base64,${Buffer.alloc(3_000, 'pixels').toString('base64')}`,
  'a URL without a password': 'https://shop.example.com/orders/1?tab=2#total',
  'a URL with a user': 'https://bob@example.com/path',
  'a connection string without a password': 'postgres://db.example.com:5432/orders',
  'a placeholder for a password': `mysql://\${USER}:\${PASSWORD}@db/orders`,
  'the number of an account': 'account: 123456789012, IBAN DE89 3704 0044 0532 0130 00',
  'a card number': '4111 1111 1111 1111',
  'a certificate': `-----BEGIN CERTIFICATE-----\n${Buffer.alloc(900, 'c').toString('base64')}`,
  'talk about credentials': 'Rotate the sk_live_ key and the ghp_ token of bob? His password?',
  'a git remote': 'git@github.com:example/orders.git',
};

/**
 * Microseconds of the processor that the detector takes for a text at its fastest: what others do meanwhile does not count.
 *
 * @param enough - less than this ends the measuring, for nothing more is asked
 */
async function fastest(text: string, enough = 0): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < 20 && best >= enough; run += 1) {
    const from = process.cpuUsage();
    await detectSecrets(text);
    const { user, system } = process.cpuUsage(from);
    best = Math.min(best, user + system);
  }
  return best;
}

const LONG = 65_536;
const SHORT = 8_192;
/** Between 8, which is linear, and 64, which is quadratic; 6 to 10 was measured. */
const GROWTH = 30;

/** Fails where eight times the text takes far more than eight times as long. */
async function assertLinear(text: string, name: string): Promise<void> {
  const short = await fastest(text.slice(0, SHORT));
  const growth = (await fastest(text.slice(0, LONG), GROWTH * short)) / short;
  assert.ok(growth < GROWTH, `${name}: ${growth.toFixed(1)} times as long`);
}

describe('the detector of secrets', () => {
  for (const [kind, credential] of Object.entries(CREDENTIALS)) {
    it(`knows ${kind} [R25-101]`, async () => {
      const found = await detectSecrets(`Use ${credential} for it?`);
      assert.ok(
        found.some((detection) => detection.kind === kind),
        JSON.stringify(found),
      );
    });
  }

  for (const [name, text] of Object.entries(HARMLESS)) {
    it(`takes ${name} for harmless`, async () => {
      assert.deepEqual(await detectSecrets(text), []);
    });
  }

  it('knows the long form of a token of GitHub', async () => {
    const part = TOKEN.slice(4);
    const found = await detectSecrets(`ghs_1234_${part}.${part}.${part}`);
    assert.deepEqual(found, [{ kind: 'GITHUB_TOKEN', start: 0 }]);
  });

  it('knows some by their name only', async () => {
    assert.deepEqual(await detectSecrets(NAMED_SECRET), []);
    assert.equal((await detectSecrets(`secretAccessKey=${NAMED_SECRET}`)).length, 1);
  });

  it('is not switched off by the text', async () => {
    const text = `/* secretlint-disable */\n${TOKEN} // secretlint-disable-line`;
    assert.deepEqual(
      (await detectSecrets(text)).map(({ kind }) => kind),
      ['GITHUB_TOKEN'],
    );
  });

  it('returns nothing of what it found', async () => {
    const all = Object.values(CREDENTIALS);
    const found = JSON.stringify(await detectSecrets(all.join('\n')));
    for (const credential of all) assert.ok(!found.includes(credential.slice(-12)));
  });

  it('takes time in proportion to a text, prose or noise', async () => {
    const prose = 'Refund order 12345 of ada@example.com, https://example.com/a?b=c? '.repeat(
      1_000,
    );
    await assertLinear(prose, 'prose');
    await assertLinear(randomBytes(49_152).toString('base64'), 'noise');
  });

  it('takes time in proportion to a text that is made to keep it busy', async () => {
    const starts = [
      'ghs_1_',
      'tskey-a-',
      'sk_live_',
      'xoxb-1-a-',
      'SG.a.',
      'sk-proj-',
      'https://a:b',
      'mongodb://a:',
      'ops_ey',
    ];
    for (const start of [...starts, '-----BEGIN PRIVATE KEY-----', ' ', 'secret_access_key=']) {
      await assertLinear(start.repeat(Math.ceil(LONG / start.length)), start);
    }
  });
});
