import type { Client } from '@temporalio/client';
import { OUTCOME_UPDATE_ID, workflowIdOf } from '../../../contracts/constants/names.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { outcomeUpdate } from '../../../workflows/suspension/messages.js';
import { callTemporal } from './call.js';
import { DeadlinePassed, withinDeadline, type Clock } from './deadline.js';
import { classify } from './failures.js';

/** The longest that one shared call lasts; callers that still wait then ask again. */
const SHARED_MS = 300_000;

type Heard =
  | { readonly kind: 'settled'; readonly view: LiveView }
  /** The run hands over, is closed, or does not answer: read the suspension, then listen again. */
  | { readonly kind: 'ask_again' }
  | { readonly kind: 'time_up' };

interface Shared {
  readonly heard: Promise<Heard>;
  readonly left: AbortController;
  listeners: number;
}

/**
 * Waits on the Update `outcome` of suspensions. All waits for one suspension in this process share one call, which
 * ends with its last listener.
 */
export class Outcomes {
  private readonly shared = new Map<string, Shared>();
  private readonly client: Client;
  private readonly clock: Clock;
  private readonly space: string;

  constructor(client: Client, clock: Clock, space: string) {
    this.client = client;
    this.clock = clock;
    this.space = space;
  }

  /**
   * Waits at most `ms` for a suspension to settle. Throws the signal's reason when the caller
   * leaves, and failures of the call that are not temporary.
   */
  async listen(suspensionId: string, ms: number, signal: AbortSignal): Promise<Heard> {
    const entry = this.join(suspensionId);
    try {
      return await withinDeadline(this.clock, ms, () => entry.heard, signal);
    } catch (error) {
      if (error instanceof DeadlinePassed) return { kind: 'time_up' };
      throw error;
    } finally {
      entry.listeners -= 1;
      if (entry.listeners === 0) {
        this.forget(suspensionId, entry);
        entry.left.abort();
      }
    }
  }

  private join(suspensionId: string): Shared {
    const running = this.shared.get(suspensionId);
    if (running) {
      running.listeners += 1;
      return running;
    }
    const left = new AbortController();
    const heard = this.call(suspensionId, left.signal).finally(() => {
      this.forget(suspensionId, entry);
    });
    const entry: Shared = { heard, left, listeners: 1 };
    this.shared.set(suspensionId, entry);
    return entry;
  }

  private forget(suspensionId: string, entry: Shared): void {
    if (this.shared.get(suspensionId) === entry) this.shared.delete(suspensionId);
  }

  private async call(suspensionId: string, left: AbortSignal): Promise<Heard> {
    const { client, clock, space } = this;
    const handle = client.workflow.getHandle(workflowIdOf('suspension', suspensionId, space));
    const execute = () => handle.executeUpdate(outcomeUpdate, { updateId: OUTCOME_UPDATE_ID });
    try {
      const outcome = await callTemporal(client, clock, {
        ms: SHARED_MS,
        caller: left,
        rpc: execute,
      });
      return outcome.moved ? { kind: 'ask_again' } : { kind: 'settled', view: outcome.view };
    } catch (error) {
      const over = error instanceof DeadlinePassed || left.aborted;
      if (over || classify(error).kind !== 'unknown') return { kind: 'ask_again' };
      throw error;
    }
  }
}
