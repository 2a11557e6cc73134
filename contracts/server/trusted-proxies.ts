import { z } from 'zod';
import { boundedText } from '../kernel/primitives.js';

/** Networks that have a name: this machine, and the private ones of IPv4 and IPv6. */
const NAMED: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];
const NETWORKS = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** A network of all addresses would let every client choose its own address. */
function isProxy(text: string): boolean {
  return NAMED.includes(text) || (NETWORKS.safeParse(text).success && !/\/0+$/.test(text));
}

/** The proxies that may say from where a request came, and whether over https; each an address or a network. */
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
