import type { Client } from '@temporalio/client';
import type { ChannelCheck } from '../../contracts/channel-report.js';
import { MOST_NAMED, MOST_OVERRUNS } from '../../contracts/set-aside.js';
import type { RunSetAside, RunsSetAside } from '../../contracts/set-aside.js';
import { channelChecks } from '../../store/queries/channel-checks.js';
import { newestTries } from '../../store/queries/deliveries.js';
import type { NewestTries } from '../../store/queries/deliveries.js';
import { forgetSetAside, notedSetAside } from '../../store/queries/set-aside.js';
import type { NotedRun } from '../../store/queries/set-aside.js';
import { callTemporal, outcomeOf } from './calls/call.js';
import { READ_MS, limitOf } from './calls/deadline.js';
import type { Clock } from './calls/deadline.js';
import type { FromStore } from './reads/from-store.js';

/** So many of the runs that are noted are looked up in Temporal, the newest. */
const LOOKED_UP = 50;

interface Deps {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly clock: Clock;
  readonly fromStore: FromStore;
}

/** What workers noted for whoever looks after the service: of channels, and of workflows that they set aside. */
export function createOperating({ client, clock, fromStore }: Deps) {
  /** The run as it is now; undefined if it has ended, or a newer task of it was done. Without an answer, it is as it was noted. */
  async function lookUp(noted: NotedRun): Promise<RunSetAside | undefined> {
    const handle = client.workflow.getHandle(noted.workflow_id, noted.run_id);
    const rpc = () => handle.describe();
    const ms = limitOf(clock, 'servers', READ_MS);
    const outcome = await outcomeOf(callTemporal(client, clock, { ms, rpc }));
    if (outcome.kind === 'gone') return undefined;
    if (outcome.kind === 'no_answer') return { ...noted, tries: null };
    const { status, raw } = outcome.value;
    const tries = raw.pendingWorkflowTask?.attempt ?? 0;
    const isStuck = status.name === 'RUNNING' && tries >= MOST_OVERRUNS;
    return isStuck ? { ...noted, tries } : undefined;
  }

  return {
    newestTries: (channel: string): Promise<NewestTries> => fromStore(newestTries, channel),
    channelChecks: (): Promise<ReadonlyMap<string, ChannelCheck>> => fromStore(channelChecks),

    /**
     * The runs of workflows that are set aside, of all spaces. Forgets those of which Temporal says that they are not: a worker
     * notes a run again with each of its tasks.
     */
    async runsSetAside(): Promise<RunsSetAside> {
      const noted = await fromStore(notedSetAside, LOOKED_UP);
      const found = await Promise.all(noted.map(lookUp));
      const over = noted.filter((_run, at) => found[at] === undefined);
      await fromStore(
        forgetSetAside,
        over.map(({ run_id }) => run_id),
      );
      const stuck = found.filter((run) => run !== undefined);
      const more = stuck.length > MOST_NAMED || noted.length === LOOKED_UP;
      return { workflows: stuck.slice(0, MOST_NAMED), more };
    },
  };
}
