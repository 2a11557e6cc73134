import type { RunsSetAside } from '../../contracts/log/set-aside.js';
import type { Me } from '../../contracts/people/me.js';
import type { UnattendedQueue, UnattendedQueues } from '../../contracts/server/unattended.js';
import type { Api } from '../session.js';
import { failed } from './doctor-finding.js';
import type { Finding } from './doctor-finding.js';

const SET_ASIDE_ADVICE =
  'Reset or terminate it, or deploy a version that mends the cause: see "A workflow that is set aside" in docs/watch-and-repair.md.';

/** Checks for workflows that workers have set aside, if the key may read them. */
export async function setAsideFindings(api: Api, { may }: Me): Promise<readonly Finding[]> {
  if (!may.includes('listSetAside')) return [];
  const name = 'workflow';
  try {
    const options = { signal: api.interrupted };
    const all = await api.connection.read<RunsSetAside>('/server/set-aside', {}, options);
    const findings: Finding[] = all.workflows.map(({ workflow_id, run_id, since, tries }) => {
      const tried = tries === null ? '' : `, and its task was tried ${tries} times`;
      const detail = `${workflow_id} (run ${run_id}) is set aside since ${since}${tried}`;
      return { name, ok: false, detail, advice: SET_ASIDE_ADVICE };
    });
    if (all.more)
      findings.push({ name, ok: false, detail: 'there may be more that are set aside' });
    return findings.length > 0 ? findings : [{ name, ok: true, detail: 'none is set aside' }];
  } catch (error) {
    return [failed(name, error)];
  }
}

/** What to do about workflows of agents that nobody runs. */
const UNATTENDED_ADVICE = {
  queue:
    "Start the agent's worker for this task queue, with the Temporal and the namespace of the service: without it nobody goes on with an answer.",
  version:
    'Start a worker of this version again, or move the workflows to another one with `temporal workflow update-options`.',
} as const;

function unattendedFinding(queue: UnattendedQueue): Finding {
  const { task_queue, version, workflows, examples, last_poll } = queue;
  const count = workflows === 1 ? '1 workflow' : `${workflows} workflows`;
  const waits = `${count} of agents on task queue ${task_queue}`;
  const worker = version === null ? 'a worker' : `a worker of version ${version}`;
  const last = last_poll === null ? '' : ` (the last one polled ${last_poll})`;
  const named = examples.join(', ') + (workflows > examples.length ? ', …' : '');
  const detail = `${waits} without ${worker}${last}: ${named}`;
  const advice = UNATTENDED_ADVICE[version === null ? 'queue' : 'version'];
  return { name: 'agents', ok: false, detail, advice };
}

/** Checks for workflows of agents that no worker runs, if the key may read them. */
export async function unattendedFindings(api: Api, { may }: Me): Promise<readonly Finding[]> {
  if (!may.includes('listUnattended')) return [];
  const name = 'agents';
  try {
    const options = { signal: api.interrupted };
    const { queues } = await api.connection.read<UnattendedQueues>(
      '/server/unattended',
      {},
      options,
    );
    if (queues.length > 0) return queues.map(unattendedFinding);
    return [{ name, ok: true, detail: 'every workflow that asked has a worker' }];
  } catch (error) {
    return [failed(name, error)];
  }
}
