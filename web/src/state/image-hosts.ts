import { createContext, useContext } from 'react';

/**
 * The hosts from which this page may load pictures. There are none on the page of a link, whoever opens it, and the policy that
 * the server sends with each page says the same.
 */
export const ImageHosts = createContext<readonly string[]>([]);

/** Returns the host of an address if the page may load a picture from there. */
export function useImageHost(address: string): string | undefined {
  const hosts = useContext(ImageHosts);
  if (hosts.length === 0 || !URL.canParse(address)) return undefined;
  const { protocol, host, username, password } = new URL(address);
  // Browsers load nothing that names a user in its address.
  const isPlain = protocol === 'https:' && username === '' && password === '';
  return isPlain && hosts.includes(host) ? host : undefined;
}
