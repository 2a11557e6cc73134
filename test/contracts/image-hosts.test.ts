import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../contracts/server/config.js';

describe('the hosts of pictures in the configuration', () => {
  const accepts = (host: string) => serverConfigSchema.safeParse({ image_hosts: [host] }).success;

  it('are named as they stand in addresses', () => {
    for (const host of ['images.example.com', 'cdn.example.com:8443', 'localhost', '192.0.2.7']) {
      assert.ok(accepts(host), host);
    }
  });

  it('are no patterns, no addresses, and no more of a policy', () => {
    for (const host of [
      '',
      '*',
      '*.example.com',
      'https://images.example.com',
      'images.example.com/photos',
      'Images.example.com',
      'images.example.com:443',
      'images.example.com:99999',
      "a.example.com; script-src 'unsafe-inline'",
      'a.example.com b.example.com',
      'a.example.com,b.example.com',
      'me@images.example.com',
      'b\u00fccher.example.com',
      '0x7f.1',
    ]) {
      assert.ok(!accepts(host), host);
    }
    const { error } = serverConfigSchema.safeParse({ image_hosts: ['ok.example.com', '*'] });
    assert.deepEqual(error?.issues[0]?.path, ['image_hosts', 1]);
  });
});
