import type { Response } from 'express';

/** Requests that are held open until something happens. */
export interface LongPolls {
  /** A signal that fires when the caller goes away or the server stops. */
  signalFor(res: Response): AbortSignal;
  /** Ends all that wait, now and from now on. */
  endAll(): void;
}

/** Keeps track of open long polls, so that shutting down need not wait for them. */
export function createLongPolls(): LongPolls {
  const open = new Set<AbortController>();
  let ended = false;
  return {
    signalFor(res) {
      const controller = new AbortController();
      open.add(controller);
      res.once('close', () => {
        open.delete(controller);
        controller.abort();
      });
      if (ended || res.closed) controller.abort();
      return controller.signal;
    },
    endAll() {
      ended = true;
      for (const controller of open) controller.abort();
    },
  };
}
