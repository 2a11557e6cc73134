import { z } from 'zod';
import { boundedText } from '../kernel/primitives.js';

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && origin === text && !hostname.includes('*');
}

export const originSchema = boundedText(300).refine(isOrigin, {
  params: { accepted: 'an origin as browsers send it, such as https://app.example.com' },
});

/** Origins of pages that may call the API; none unless some are named. */
export const originsSchema = z.array(originSchema).max(100).default([]);

/** The host names that are safe in a Content-Security-Policy: no wildcard, and nothing that ends a directive. */
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/;

/** Whether a text is a host as browsers write it in an address: in lower case, without the default port of https. */
function isHost(text: string): boolean {
  const address = `https://${text}`;
  return HOST.test(text) && URL.canParse(address) && new URL(address).host === text;
}

/** The hosts from which the inbox may load pictures, over https; none unless some are named. */
export const imageHostsSchema = z
  .array(
    boundedText(260).refine(isHost, {
      params: { accepted: 'a host as it stands in addresses, such as images.example.com' },
    }),
  )
  .max(50)
  .default([]);

/** Named networks: this machine, and the private ones of IPv4 and IPv6. */
const NAMED: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];
const NETWORKS = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Refuses a network of all addresses, which would let every client choose its own address. */
function isProxy(text: string): boolean {
  return NAMED.includes(text) || (NETWORKS.safeParse(text).success && !/\/0+$/.test(text));
}

/**
 * The proxies that are trusted to say where a request came from, and whether over https; each an address or a
 * network.
 */
export const trustedProxiesSchema = z
  .array(
    boundedText(100).refine(isProxy, {
      params: {
        accepted: `an IP address, a network such as 10.0.0.0/8, or one of: ${NAMED.join(', ')}`,
      },
    }),
  )
  .max(100)
  .default(['loopback']);
