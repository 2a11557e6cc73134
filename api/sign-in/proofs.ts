import { createHash } from 'node:crypto';
import type { OpenSession } from '../../contracts/people/session.js';
import { digestOf } from '../../runtime/api-keys.js';
import { takeSignInLink } from '../../store/queries/session.js';
import { standardRefusal } from '../errors.js';
import type { FromStore } from '../parts/reads/from-store.js';
import type { KeyRing } from './key-ring.js';
import { idOf } from './sessions.js';
import type { OpenedSession, Sessions } from './sessions.js';

interface Options {
  readonly ring: Pick<KeyRing, 'findDigest'>;
  readonly sessions: Sessions;
  readonly store: FromStore;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Opens sessions for people who prove who they are: by a key, or by a link that works once. */
export class Proofs {
  private readonly options: Options;
  private readonly now: () => number;

  constructor(options: Options) {
    this.options = options;
    this.now = options.now ?? Date.now;
  }

  /**
   * Opens a session.
   *
   * @param earlier - the cookie of the session that the browser had, which ends
   * @throws RefusalError `unauthenticated` for an unknown key or link, `forbidden` for an agent's key,
   *   `sign_in_link_used` or `sign_in_link_expired` with the instant, `store_unavailable`
   */
  async open({ key, link }: OpenSession, earlier?: string): Promise<OpenedSession> {
    const digest = key === undefined ? await this.take(link ?? '') : digestOf(key);
    const { ring, sessions } = this.options;
    const found = ring.findDigest(digest);
    if (found === undefined) throw standardRefusal('unauthenticated');
    const replaced = earlier === undefined ? undefined : idOf(earlier);
    return sessions.open({ by: 'key', digest: digest.toString('hex') }, found.caller, replaced);
  }

  /** Uses a link up, and returns the digest of the key that it stands for. */
  private async take(link: string): Promise<Buffer> {
    const id = createHash('sha256').update(link).digest('hex');
    const now = new Date(this.now()).toISOString();
    const use = await this.options.store(takeSignInLink, id, now);
    switch (use.is) {
      case 'taken':
        return Buffer.from(use.key_digest, 'hex');
      case 'used':
        throw standardRefusal('sign_in_link_used', { state: { used_at: use.at } });
      case 'expired':
        throw standardRefusal('sign_in_link_expired', { state: { expires_at: use.at } });
      case 'unknown':
        throw standardRefusal('unauthenticated');
    }
  }
}
