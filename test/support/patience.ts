import { systemClock, type Clock } from '../../api/parts/calls/deadline.js';
import { openDatabase } from '../../store/database.js';
import type { Store } from '../../store/schema.js';

/**
 * So many times as long as in production lasts each limit that no test means to reach. A machine that others keep busy
 * takes as much longer for what usually takes a moment. Tests of a limit use the real one.
 */
export const PATIENCE = 10;

/**
 * The clock of an API that waits longer than in production; but as long as there for a worker that a test has stopped.
 *
 * @param isStopped - whether it has; never unless given
 */
export function patientClock(isStopped: () => boolean = () => false): Clock {
  const patience = {
    servers: PATIENCE,
    get worker() {
      return isStopped() ? 1 : PATIENCE;
    },
  };
  return { ...systemClock(Date.now), patience };
}

/** The option of Temporal's workers by which loading workflow code, and each step of it, may take longer than 5 s. */
export const PATIENT_ISOLATES: object = { isolateExecutionTimeout: `${5 * PATIENCE}s` };

/** Opens a store that has longer than in production to connect, and for each statement. */
export function openPatiently(url: string): Store {
  return openDatabase(url, { patience: PATIENCE });
}
