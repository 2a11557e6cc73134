import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import fc from 'fast-check';
import {
  allowedAddresses,
  kindOfAddress,
  type Resolve,
} from '../../../../activities/channels/webhook/sender.js';
import { startReceiver } from '../../../support/subscribers.js';
import { sendTo, webhookTo } from './support.js';

const REFUSED = { name: 'ChannelError', kind: 'address_refused', details: { final: true } };

function resolvingTo(...addresses: readonly string[]): Resolve {
  return async () => addresses.map((address) => ({ address, family: isIP(address) }));
}

const never: Resolve = () => Promise.reject(new Error('a literal is not resolved'));

describe('kinds of addresses', () => {
  const KINDS = {
    public: ['8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111'],
    private: [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '127.0.0.1',
      '127.9.9.9',
      '100.64.0.1',
      '::1',
      'fc00::1',
      'fd12:3456::1',
    ],
    special: [
      '0.0.0.0',
      '0.1.2.3',
      '169.254.169.254',
      '192.0.0.8',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '100::1',
      '5f00::1',
      '3fff::1',
      'localhost',
      '',
    ],
  } as const;
  for (const [kind, addresses] of Object.entries(KINDS)) {
    for (const address of addresses) {
      it(`has "${address}" as ${kind}`, () => assert.equal(kindOfAddress(address), kind));
    }
  }

  it('counts no IPv4 address in an IPv6 form as public', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::'), (address, prefix) => {
        assert.notEqual(kindOfAddress(`${prefix}${address}`), 'public');
      }),
    );
  });
});

describe('addresses a webhook may go to', () => {
  const LITERALS = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '10.1.2.3',
    '192.168.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '0',
    '100.64.0.1',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[::127.0.0.1]',
    '[2002:7f00:1::]',
  ];
  for (const host of LITERALS) {
    it(`refuses the literal ${host}`, () =>
      assert.rejects(allowedAddresses(new URL(`https://${host}/`), false, never), REFUSED));
  }

  for (const [what, addresses] of [
    ['loopback', ['127.0.0.1']],
    ['a private network', ['10.0.0.7']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a public and a private address', ['8.8.8.8', '192.168.0.1']],
    ['a mapped address', ['::ffff:10.0.0.7']],
  ] as const) {
    it(`refuses a name that leads to ${what}`, () => {
      const url = new URL('https://receiver.invalid/');
      return assert.rejects(allowedAddresses(url, false, resolvingTo(...addresses)), REFUSED);
    });
  }

  it('are all public ones of a name', async () => {
    const resolve = resolvingTo('8.8.8.8', '2606:4700::1111');
    const addresses = await allowedAddresses(new URL('https://receiver.invalid/'), false, resolve);
    assert.deepEqual(addresses, [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('are private ones where that is configured', async () => {
    const url = new URL('http://receiver.invalid/');
    const addresses = await allowedAddresses(url, true, resolvingTo('10.0.0.7'));
    assert.deepEqual(addresses, [{ address: '10.0.0.7', family: 4 }]);
  });

  for (const address of ['169.254.169.254', '0.0.0.0', '::ffff:127.0.0.1', 'ff02::1']) {
    it(`never are ${address}, also where private ones are allowed`, () => {
      const url = new URL('https://receiver.invalid/');
      return assert.rejects(allowedAddresses(url, true, resolvingTo(address)), REFUSED);
    });
  }

  it('are not public ones without TLS', () => {
    const url = new URL('http://receiver.invalid/');
    return assert.rejects(allowedAddresses(url, true, resolvingTo('8.8.8.8')), REFUSED);
  });

  for (const [what, resolve] of [
    ['not found', () => Promise.reject(new Error('ENOTFOUND'))],
    ['without an address', resolvingTo()],
  ] as const) {
    it(`are asked for again later where the name is ${what}`, () =>
      assert.rejects(allowedAddresses(new URL('https://receiver.invalid/'), false, resolve), {
        kind: 'connection_failed',
        details: {},
      }));
  }
});

describe('a webhook to a private address', () => {
  it('reaches nobody unless configured', async () => {
    const receiver = await startReceiver();
    const { port } = receiver;
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      const config = webhookTo(`https://${host}:${port}/`, { allow_private_network: false });
      await assert.rejects(sendTo(config), REFUSED, host);
    }
    assert.equal(receiver.received.length, 0);
    await receiver.close();
  });

  it('goes to the address that was checked, whatever the name says later', async () => {
    const receiver = await startReceiver();
    const answers = ['127.0.0.1', '169.254.169.254'];
    let asked = 0;
    const rebinding: Resolve = async () => {
      const address = answers[asked++] ?? '169.254.169.254';
      return [{ address, family: 4 }];
    };
    const config = webhookTo(`http://rebinding.invalid:${receiver.port}/hook`);
    const handedOver = await sendTo(config, { resolve: rebinding });
    assert.equal(handedOver.status_code, 200);
    assert.equal(asked, 1);
    assert.equal(receiver.received[0]?.headers.host, `rebinding.invalid:${receiver.port}`);
    await assert.rejects(sendTo(config, { resolve: rebinding }), REFUSED);
    assert.equal(receiver.received.length, 1);
    await receiver.close();
  });
});
