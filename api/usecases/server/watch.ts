import { ASKED_CHANNELS } from '../../../contracts/channel/report.js';
import type {
  ChannelCheck,
  ChannelReport,
  ChannelReports,
} from '../../../contracts/channel/report.js';
import { MOST_NAMED, MOST_OVERRUNS } from '../../../contracts/log/set-aside.js';
import type { RunSetAside, RunsSetAside } from '../../../contracts/log/set-aside.js';
import { channelChecks } from '../../../store/queries/channel-checks.js';
import { newestTries } from '../../../store/queries/deliveries.js';
import { forgetSetAside, notedSetAside } from '../../../store/queries/set-aside.js';
import type { NotedRun } from '../../../store/queries/set-aside.js';
import { callTemporal, outcomeOf } from '../../parts/calls/call.js';
import { READ_MS, limitOf } from '../../parts/calls/deadline.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** So many of the runs that are noted are looked up in Temporal, the newest. */
const LOOKED_UP = 50;

const NEVER_ASKED: ChannelCheck = { state: 'unknown', at: null, outcome: null, reason: null };

/** How the channels of the configuration have fared: by their newest tries, and by the replies that workers got when they asked. */
export const listChannels = useCase({
  name: 'listChannels',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ parts: { config, whole, unknownApprovers } }: Call): Promise<ChannelReports> {
    const checks = await whole.fromStore(channelChecks);
    const channels: ChannelReport[] = [];
    for (const [name, { type }] of Object.entries(config.notifications.channels)) {
      const check = ASKED_CHANNELS.includes(type) ? (checks.get(name) ?? NEVER_ASKED) : null;
      channels.push({ name, type, ...(await whole.fromStore(newestTries, name)), check });
    }
    const unknown_approvers = unknownApprovers();
    return { channels, ...(unknown_approvers.length > 0 && { unknown_approvers }) };
  },
});

/**
 * The runs of workflows that workers have set aside, of all spaces. Forgets those of which Temporal says that they are not: a
 * worker notes a run again with each of its tasks.
 */
export const listSetAside = useCase({
  name: 'listSetAside',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run(call: Call): Promise<RunsSetAside> {
    const { fromStore } = call.parts.whole;
    const noted = await fromStore(notedSetAside, LOOKED_UP);
    const found = await Promise.all(noted.map((run) => lookUp(call, run)));
    const over = noted.filter((_run, at) => found[at] === undefined);
    await fromStore(
      forgetSetAside,
      over.map(({ run_id }) => run_id),
    );
    const stuck = found.filter((run) => run !== undefined);
    const more = stuck.length > MOST_NAMED || noted.length === LOOKED_UP;
    return { workflows: stuck.slice(0, MOST_NAMED), more };
  },
});

/** The run as it is now; undefined if it has ended, or a newer task of it was done. Without an answer, it is as it was noted. */
async function lookUp({ parts }: Call, noted: NotedRun): Promise<RunSetAside | undefined> {
  const { client, clock } = parts;
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
