import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { encrypted } from '../../../activities/push/sender.js';
import { browserKeys } from './browser.js';

const from = (text: string) => Buffer.from(text, 'base64url');

describe('messages to browsers', () => {
  it('are those of the example in RFC 8291, byte for byte', () => {
    const target = {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    };
    const fresh = {
      privateKey: from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      salt: from('DGv6ra1nlYgDCS1FRnbzlw'),
    };
    const text = 'When I grow up, I want to be a watermelon';
    assert.equal(
      encrypted(text, target, 0, fresh).toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  it('are read by their browser alone, and have one length whatever they say', () => {
    const [mine, others] = [browserKeys(), browserKeys()];
    const [short, long] = ['Go?', 'Go? '.repeat(100)].map((text) => encrypted(text, mine, 1_024));
    assert.ok(short && long && short.length === long.length);
    assert.equal(mine.read(short), 'Go?');
    assert.throws(() => others.read(short), /unable to authenticate/);
  });

  it('are different each time', () => {
    const keys = browserKeys();
    assert.notDeepEqual(encrypted('Go?', keys, 0), encrypted('Go?', keys, 0));
  });

  it('are not made for a key that is no point of the curve', () => {
    const { auth } = browserKeys();
    assert.throws(
      () => encrypted('Go?', { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth }, 0),
      /public key is not valid/i,
    );
  });
});
