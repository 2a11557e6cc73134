import { noteSigningIn } from '../../store/queries/principal.js';
import type { Named } from '../../store/queries/principal.js';
import type { GatewayLog, RunQuery } from '../gateway/reads/from-store.js';
import type { KeyRing } from './key-ring.js';

interface Options {
  readonly ring: Pick<KeyRing, 'principals'>;
  /** The principals of the tokens that were accepted since it was called last. */
  readonly takeTokens: () => readonly Named[];
  readonly store: RunQuery;
  readonly log: GatewayLog;
}

const NOTE_MS = 30_000;

/**
 * Tells the workers, by the store, who can sign in, every 30 seconds: they hold back what subscriptions of
 * disabled principals would get.
 */
export class PrincipalNotes {
  private readonly options: Options;
  private timer: NodeJS.Timeout | undefined;
  private readonly tokens = new Map<string, Named>();

  constructor(options: Options) {
    this.options = options;
  }

  follow(): void {
    void this.note();
    this.timer = setInterval(() => void this.note(), NOTE_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Notes it once. It never rejects: what could not be noted is noted the next time. */
  async note(): Promise<void> {
    const { ring, takeTokens, store, log } = this.options;
    for (const named of takeTokens()) this.tokens.set(keyOf(named), named);
    const byToken = [...this.tokens.values()];
    try {
      await store(noteSigningIn, { byKey: ring.principals, byToken });
      for (const named of byToken) this.tokens.delete(keyOf(named));
    } catch (error) {
      log.warn({ err: error }, 'the store could not be told who can sign in');
    }
  }
}

function keyOf({ space, principal }: Named): string {
  return JSON.stringify([space, principal]);
}
