import { noteSigningIn } from '../../store/queries/principal.js';
import type { GatewayLog, RunQuery } from '../gateway/reads/from-store.js';
import type { KeyRing } from './key-ring.js';

interface Options {
  readonly ring: Pick<KeyRing, 'principals'>;
  /** The principals of the tokens that were accepted since it was called last. */
  readonly takeTokens: () => readonly string[];
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
  private tokens = new Set<string>();

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
    for (const principal of takeTokens()) this.tokens.add(principal);
    const byToken = [...this.tokens];
    try {
      await store(noteSigningIn, { byKey: [...ring.principals], byToken });
      for (const principal of byToken) this.tokens.delete(principal);
    } catch (error) {
      log.warn({ err: error }, 'the store could not be told who can sign in');
    }
  }
}
