import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pushConfigSchema } from '../../../contracts/people/noticing.js';
import { isPushHost } from '../../../domain/directory/directory.js';

const { hosts } = pushConfigSchema.parse({});
const isAllowed = (url: string, allowsPrivate = false, of = hosts) =>
  isPushHost(new URL(url), of, allowsPrivate);

describe('the hosts of push services', () => {
  it('are those of the browsers, unless others are named', () => {
    for (const url of [
      'https://fcm.googleapis.com/fcm/send/abc',
      'https://updates.push.services.mozilla.com/wpush/v2/abc',
      'https://web.push.apple.com/abc',
      'https://db5p.notify.windows.com/w/?token=abc',
    ])
      assert.equal(isAllowed(url), true, url);
  });

  it('are no others, however alike', () => {
    for (const url of [
      'http://fcm.googleapis.com/fcm/send/abc',
      'https://fcm.googleapis.com.evil.example/',
      'https://evilfcm.googleapis.com/',
      'https://push.apple.com.evil.example/',
      'https://evilpush.apple.com/',
      'https://fcm.googleapis.com:8443/',
      'https://web.push.apple.com:8443/',
      'https://me@fcm.googleapis.com/',
      'https://:secret@fcm.googleapis.com/',
      'https://push.apple.com/',
      'https://push.apple.com:8443/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'ftp://fcm.googleapis.com/',
    ])
      assert.equal(isAllowed(url), false, url);
  });

  it('may be in a private network if they are named with their port', () => {
    const url = 'http://127.0.0.1:8081/one';
    assert.equal(isAllowed(url, true, ['127.0.0.1:8081']), true);
    assert.equal(isAllowed(url, true, ['127.0.0.1']), false);
    assert.equal(isAllowed(url, false, ['127.0.0.1:8081']), false);
    assert.equal(isAllowed('ftp://127.0.0.1:8081/one', true, ['127.0.0.1:8081']), false);
    for (const named of ['fcm.googleapis.com', 'web.push.apple.com']) {
      assert.equal(isAllowed(`http://${named}/one`, true), false, named);
    }
  });

  it('are refused in the configuration if they are no hosts', () => {
    for (const host of ['https://fcm.googleapis.com', '*', '*.', 'a b', 'x.com/y', ''])
      assert.equal(pushConfigSchema.safeParse({ hosts: [host] }).success, false, host);
  });
});
