/**
 * Whether the address of a push service is one that may be sent to: https, at a host of the configuration, without a name or a
 * password. Over http it may only be a host that is named with its port, in a private network.
 *
 * @param hosts - as `push.hosts` of the configuration has them
 */
export function isPushHost(url: URL, hosts: readonly string[], allowsPrivate: boolean): boolean {
  const { protocol, username, password, hostname, host, port } = url;
  const isPlain = protocol === 'http:' && allowsPrivate && port !== '';
  if ((protocol !== 'https:' && !isPlain) || username !== '' || password !== '') return false;
  return hosts.some((allowed) => {
    if (allowed.startsWith('*.')) return port === '' && hostname.endsWith(allowed.slice(1));
    return host === allowed;
  });
}
