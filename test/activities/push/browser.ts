import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser, with which it reads what comes to it (RFC 8291). */
export function browserKeys() {
  const ecdh = createECDH('prime256v1');
  const own = ecdh.generateKeys();
  const secret = randomBytes(16);
  return {
    p256dh: own.toString('base64url'),
    auth: secret.toString('base64url'),
    /** Returns the text of a message; throws if it is for somebody else. */
    read(body: Buffer): string {
      const [salt, theirs, sealed] = [
        body.subarray(0, 16),
        body.subarray(21, 86),
        body.subarray(86),
      ];
      const derived = (from: Buffer, with_: Buffer, info: Buffer, bytes: number) =>
        Buffer.from(hkdfSync('sha256', from, with_, info, bytes));
      const both = Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]);
      const shared = derived(ecdh.computeSecret(theirs), secret, both, 32);
      const key = derived(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derived(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return text.subarray(0, text.lastIndexOf(2)).toString();
    },
  };
}
