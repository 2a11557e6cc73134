import { timingSafeEqual } from 'node:crypto';
import { defined } from '../../contracts/constants/defined.js';
import type { ApiKey } from '../../contracts/people/api-key.js';
import type { Caller, KeyHolder } from '../../contracts/people/caller.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { jsonEqual } from '../../domain/kernel/json.js';
import { authorize, type Resource } from '../../domain/policy/authorize.js';
import { configuredDigest, digestOf } from '../../runtime/api-keys.js';
import type { Accepted, SignedIn } from './sign-in.js';

interface Held {
  readonly digest: Buffer;
  readonly caller: KeyHolder;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

function heldOf(key: ApiKey): Held {
  const { space = DEFAULT_SPACE, principal, roles, groups = [], expires_at, acts_for } = key;
  const expiresAt = expires_at === undefined ? Infinity : Date.parse(expires_at);
  const caller = defined({ space, principal, roles, groups, acts_for });
  return { digest: configuredDigest(key), caller, expiresAt };
}

function muteIn(
  space: string,
  callers: readonly Caller[],
  of?: Resource<'respond'>,
): ReadonlySet<string> {
  const all = callers.filter((caller) => caller.space === space);
  const speaking = all.filter((caller) => authorize(caller, 'respond', of).ok);
  const people = new Set(speaking.map(({ principal }) => principal));
  return new Set(all.map(({ principal }) => principal).filter((name) => !people.has(name)));
}

/** The valid keys. They may be replaced while the service runs. */
export class KeyRing {
  private held: readonly Held[] = [];
  private mute: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  private muteForOthers: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  private readonly now: () => number;

  /** @param now - milliseconds since the epoch */
  constructor(keys: readonly ApiKey[], now: () => number = Date.now) {
    this.now = now;
    this.replace(keys);
  }

  replace(keys: readonly ApiKey[]): void {
    this.held = keys.map(heldOf);
    const callers = this.held.map(({ caller }) => caller);
    const spaces = [...new Set(callers.map(({ space }) => space))];
    this.mute = new Map(spaces.map((space) => [space, muteIn(space, callers)]));
    this.muteForOthers = new Map(spaces.map((space) => [space, muteIn(space, callers, {})]));
  }

  /** Returns the holder of a key. It compares all digests, each in constant time, so that the time reveals nothing. */
  find(key: string): SignedIn | undefined {
    return this.findDigest(digestOf(key));
  }

  /** Does the same by the digest of a key; sessions keep only that. */
  findDigest(digest: Buffer): SignedIn | undefined {
    const [match] = this.held.filter((one) => timingSafeEqual(one.digest, digest));
    if (match === undefined || match.expiresAt <= this.now()) return undefined;
    return { caller: match.caller, holds: () => this.stillHolds(match) };
  }

  /** The holders of all keys that have not expired, one for each key. */
  get valid(): readonly Accepted[] {
    const now = this.now();
    const valid = this.held.filter(({ expiresAt }) => expiresAt > now);
    return valid.map(({ caller, expiresAt }) => ({ caller, until: expiresAt }));
  }

  /**
   * Returns the principals of a space that have keys, none of which permits answers. With `others`, those whose keys permit
   * no answers except to what was asked on their own behalf.
   */
  agentsIn(space: string, of?: 'others'): Pick<ReadonlySet<string>, 'has'> {
    const mute = () => (of === 'others' ? this.muteForOthers : this.mute).get(space);
    return { has: (principal) => mute()?.has(principal) ?? false };
  }

  /** Whether a key is still valid for the same caller; with another principal or other roles it is a new key. */
  private stillHolds({ digest, caller, expiresAt }: Held): boolean {
    if (expiresAt <= this.now()) return false;
    const found = this.held.find((one) => one.digest.equals(digest));
    return found !== undefined && found.expiresAt > this.now() && jsonEqual(found.caller, caller);
  }
}
