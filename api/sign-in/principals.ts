import { presentSight } from '../../domain/subscription/sight.js';
import { authorize } from '../../domain/policy/authorize.js';
import { noteAnswering } from '../../store/queries/answering.js';
import type { KeyHolding } from '../../store/queries/answering.js';
import { noteSigningIn } from '../../store/queries/principal.js';
import type { Sighted } from '../../store/queries/principal.js';
import type { WarningLog, RunQuery } from '../parts/reads/from-store.js';
import type { KeyRing } from './key-ring.js';
import type { Accepted } from './sign-in.js';

interface Options {
  readonly ring: Pick<KeyRing, 'valid'>;
  /** Returns the callers of the tokens that were accepted since the last call; the newest comes last. */
  readonly takeTokens: () => readonly Accepted[];
  /** The intents that agents may read without an entry in an access list. */
  readonly agentsRead: 'all' | 'own';
  readonly store: RunQuery;
  readonly log: WarningLog;
}

/**
 * Notes in the store, for the workers, who can sign in and what they may see: subscriptions deliver nothing that their
 * principals may no longer see.
 */
export class PrincipalNotes {
  private readonly options: Options;
  private tokens: readonly Sighted[] = [];

  constructor(options: Options) {
    this.options = options;
  }

  /** Writes the notes. It never rejects: notes that could not be written are written the next time. */
  async note(): Promise<void> {
    const { ring, takeTokens, store, log } = this.options;
    this.tokens = newest([...this.tokens, ...takeTokens().map((one) => this.sighted(one))]);
    const { tokens } = this;
    try {
      const byKey = ring.valid.map((one) => this.sighted(one));
      await store(noteSigningIn, { byKey, byToken: tokens });
      await store(noteAnswering, ring.valid.map(holdingOf));
      this.tokens = this.tokens.filter((one) => !tokens.includes(one));
    } catch (error) {
      log.warn({ err: error }, 'the store could not be told who can sign in');
    }
  }

  private sighted({ caller, until }: Accepted): Sighted {
    const { space, principal } = caller;
    return { space, principal, sight: presentSight(caller, this.options.agentsRead), until };
  }
}

function holdingOf({ caller }: Accepted): KeyHolding {
  const { space, principal, groups } = caller;
  return { space, principal, groups, answers: authorize(caller, 'respond').ok };
}

/** Keeps one for each principal and sight, in the order in which they came last. */
function newest(all: readonly Sighted[]): readonly Sighted[] {
  const kept = new Map<string, Sighted>();
  for (const one of all) {
    const key = JSON.stringify([one.space, one.principal, one.sight]);
    const until = Math.max(one.until, kept.get(key)?.until ?? 0);
    kept.delete(key);
    kept.set(key, { ...one, until });
  }
  return [...kept.values()];
}
