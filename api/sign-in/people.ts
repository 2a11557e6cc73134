import type { Directory } from '../../contracts/people/directory.js';
import type { Caller } from '../../contracts/people/caller.js';
import { knownPeople } from '../../domain/directory/known-people.js';
import type { Answering, KnownPeople } from '../../domain/directory/known-people.js';
import { authorize } from '../../domain/policy/authorize.js';
import type { KeyRing } from './key-ring.js';
import type { Accepted } from './sign-in.js';

interface Options {
  readonly ring: Pick<KeyRing, 'valid'>;
  readonly directory?: Directory | undefined;
  /** Whether an issuer signs in people who are not known before. */
  readonly hasIssuer: boolean;
}

/** The number of people of an issuer that are remembered; the newest ones. */
const MOST_SEEN = 10_000;

/** The people who can answer, as far as this process knows: keys may be replaced while it runs. */
export class People {
  private readonly options: Options;
  private readonly seen = new Map<string, Caller>();

  constructor(options: Options) {
    this.options = options;
  }

  /** Remembers callers that the issuer signed in. */
  saw(accepted: readonly Accepted[]): void {
    for (const { caller } of accepted) {
      const key = JSON.stringify([caller.space, caller.principal]);
      this.seen.delete(key);
      this.seen.set(key, caller);
    }
    for (const key of [...this.seen.keys()].slice(0, -MOST_SEEN)) this.seen.delete(key);
  }

  /** Returns the people who can answer in a space. */
  in(space: string): KnownPeople {
    const { ring, directory, hasIssuer } = this.options;
    const signedIn = [...ring.valid.map(({ caller }) => caller), ...this.seen.values()];
    const answering = signedIn.flatMap((caller): readonly Answering[] => {
      if (authorize(caller, 'respond').ok) return [caller];
      const { principal: initiator } = caller;
      return authorize(caller, 'respond', { initiator }).ok ? [{ ...caller, only_own: true }] : [];
    });
    return knownPeople(space, answering, directory, !hasIssuer);
  }
}
