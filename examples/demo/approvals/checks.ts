import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { RunEvent, RunReport } from '../../../contracts/intent/event.js';
import { Difference, is } from '../compliance/checker.js';
import { Api } from '../compliance/reads.js';

const POLL_MS = 100;
/** Long enough for a worker that was killed to come back, also on a busy machine. */
const PATIENCE_MS = 120_000;

/** Looks until it no longer throws, and resolves with what it saw. Throws Difference where it takes too long. */
export async function eventually<T>(
  what: string,
  signal: AbortSignal,
  look: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await look();
    } catch (error) {
      if (error instanceof Difference || Date.now() > until) {
        throw new Difference(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    await pause(POLL_MS, undefined, { signal });
  }
}

/** Throws Difference where a value is not the one that is expected; compared as JSON. */
export function must(what: string, actual: unknown, expected: unknown): void {
  try {
    is(what, actual, expected);
  } catch (error) {
    throw new Difference((error as Error).message);
  }
}

/** One line of a run's log, as the story expects it. */
export type ExpectedLine = readonly [event_type: string, payload: JsonObject];

/** Reads what the story checks, under one key. */
export class Reader {
  readonly api: Api;

  constructor(baseUrl: string, key: string) {
    this.api = new Api(baseUrl, key);
  }

  approval(id: string): Promise<ApprovalView> {
    return this.api.get(`/approvals/${id}`);
  }

  /** The approval once its open question is another one than `before`. */
  async asked(id: string, signal: AbortSignal, before?: string): Promise<ApprovalView> {
    return eventually(`approval ${id} is asked`, signal, async () => {
      const view = await this.approval(id);
      if (view.suspension_id === null || view.suspension_id === before) {
        throw new Error('no question is open');
      }
      return view;
    });
  }

  /** The log of a run, oldest first. */
  async log(runId: string): Promise<readonly RunEvent[]> {
    const { events } = await this.api.get<{ readonly events: readonly RunEvent[] }>(
      `/runs/${runId}/events`,
    );
    return events.toReversed();
  }

  /** Waits for the whole log of a run, compares it line by line, and verifies its chain. */
  async checkLog(
    runId: string,
    expected: readonly ExpectedLine[],
    signal: AbortSignal,
  ): Promise<readonly RunEvent[]> {
    const events = await eventually(`the log of ${runId}`, signal, async () => {
      const found = await this.log(runId);
      if (found.length < expected.length) throw new Error(`it has ${found.length} lines`);
      return found;
    });
    must(
      `the log of ${runId}`,
      events.map(({ event_type }) => event_type),
      expected.map(([type]) => type),
    );
    for (const [index, [type, payload]] of expected.entries()) {
      for (const [name, value] of Object.entries(payload)) {
        must(`${type}.${name} in line ${index + 1}`, events[index]?.payload[name], value);
      }
    }
    const report = await this.api.get<RunReport>(`/runs/${runId}/events/verify`);
    must(`the chain of ${runId} verifies`, report.chain_valid, true);
    return events;
  }
}
