import type { Response } from 'express';
import type { LimitsConfig } from '../../contracts/server/config.js';
import { RefusalError } from '../errors.js';
import { findCaller, principalIn, stillSignedIn, unauthenticated } from './keys-and-roles.js';

type Held = 'streams' | 'long_polls';

export interface LongPolls {
  /**
   * Returns a signal that fires when the caller goes away or may no longer wait, or the server stops.
   *
   * @throws RefusalError `too_many_streams` or `too_many_long_polls`
   */
  signalFor(res: Response, kind: Held): AbortSignal;
  /** Ends those whose key, token or session is no longer valid. */
  endRevoked(): void;
  /** Ends all, and from now on each new one at once. */
  endAll(): void;
}

interface Open {
  readonly res: Response;
  readonly kind: Held;
  readonly principal: string;
}

const LOOK_MS = 10_000;
const NAMES = { streams: 'streams', long_polls: 'long polls' } as const;

/**
 * Keeps track of open long polls and streams, limits their number, and lets a shutdown end them. Every ten seconds it
 * ends those of keys that were removed or have expired.
 */
export function createLongPolls(limits: Pick<LimitsConfig, Held>): LongPolls {
  const open = new Map<AbortController, Open>();
  let ended = false;

  /** Counts all of them anew: there are a few thousand at most, and opening one costs more. */
  function demandRoom(kind: Held, principal: string): void {
    const all = [...open.values()].filter((one) => one.kind === kind);
    const own = all.filter((one) => one.principal === principal).length;
    const { per_principal, total } = limits[kind];
    if (own >= per_principal) throw full(kind, `at most ${per_principal} for one principal`);
    if (all.length >= total) throw full(kind, `at most ${total} in all`);
  }

  const polls: LongPolls = {
    signalFor(res, kind) {
      const caller = findCaller(res.req);
      const principal = caller === undefined ? '' : principalIn(caller);
      demandRoom(kind, principal);
      const controller = new AbortController();
      open.set(controller, { res, kind, principal });
      res.once('close', () => {
        open.delete(controller);
        controller.abort();
      });
      if (ended || res.closed) controller.abort();
      return controller.signal;
    },
    endRevoked() {
      for (const [controller, { res }] of open) {
        if (!stillSignedIn(res.req)) controller.abort(unauthenticated());
      }
    },
    endAll() {
      ended = true;
      clearInterval(looks);
      for (const controller of open.keys()) controller.abort();
    },
  };
  const looks = setInterval(() => polls.endRevoked(), LOOK_MS).unref();
  return polls;
}

function full(kind: Held, accepted: string): RefusalError {
  const detail = `Too many ${NAMES[kind]} are open: close one first.`;
  return new RefusalError({ code: `too_many_${kind}`, detail, accepted });
}
