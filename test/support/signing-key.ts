import { exportJWK, generateKeyPair, type JWK } from 'jose';

const keys = new Map<string, Promise<JWK>>();

/**
 * The private key with this id, with which a provider signs. It is the same for all providers of a process: a key takes longer to
 * make than most tests take.
 */
export function signingKey(kid: string): Promise<JWK> {
  const key = keys.get(kid) ?? newKey(kid);
  keys.set(kid, key);
  return key;
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
}
