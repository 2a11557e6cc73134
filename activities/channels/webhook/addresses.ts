import { isIP } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { ChannelError } from '../try-outcome.js';

/** Every address of a name; rejects if there is none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveByDns: Resolve = (hostname) =>
  lookup(hostname, { all: true, order: 'verbatim' });

const PRIVATE = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is public, private or special: link-local, multicast, reserved, or IPv6 that stands for IPv4. */
export function kindOfAddress(address: string): 'public' | 'private' | 'special' {
  if (!ipaddr.isValid(address)) return 'special';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (PRIVATE.has(range)) return 'private';
  const isGlobal = parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
  return range === 'unicast' && isGlobal ? 'public' : 'special';
}

/**
 * Returns the addresses of a URL's host, if all of them may be connected to: public ones over https, private ones
 * if the configuration allows them.
 *
 * @throws ChannelError `address_refused`, final; `connection_failed` if the name has no address
 */
export async function allowedAddresses(
  url: URL,
  allowsPrivate: boolean,
  resolve: Resolve,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await addressesOf(host, resolve) : [{ address: host, family }];
  for (const { address } of addresses) {
    const kind = kindOfAddress(address);
    const isAllowed = kind === 'public' ? url.protocol === 'https:' : allowsPrivate;
    if (kind === 'special' || !isAllowed) throw refused(kind);
  }
  return addresses;
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new ChannelError('connection_failed', 'the name of the webhook was not found');
}

function refused(kind: 'public' | 'private' | 'special'): ChannelError {
  const message = {
    public: 'the webhook has a public address, to which nothing is sent without TLS',
    private: 'the webhook has a private address, and allow_private_network is not set',
    special: 'the webhook has an address that is neither public nor private',
  }[kind];
  return new ChannelError('address_refused', message, { final: true });
}
