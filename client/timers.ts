/** How the client waits; replaced in tests. Milliseconds throughout. */
export interface Timers {
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** A signal that aborts after `ms`, to give a silent connection up. */
  deadline(ms: number): AbortSignal;
}

/** The longest delay that setTimeout takes. */
const LONGEST_MS = 2_147_483_647;

/** The platform's own timers. */
export const SYSTEM_TIMERS: Timers = {
  pause(ms, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.min(ms, LONGEST_MS),
      );
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  deadline: (ms) => AbortSignal.timeout(ms),
};
