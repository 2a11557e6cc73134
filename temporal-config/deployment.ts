import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { TASK_QUEUES } from '../contracts/constants/names.js';
import { oneLine } from '../runtime/program.js';
import { TemporalConfigError, reasonOf } from './errors.js';
import { FRESH_POLL_MS, lastPoll, versionOfPoller } from './pollers.js';

export interface DeploymentVersion {
  readonly deploymentName: string;
  readonly buildId: string;
}

type Kind = 'workflow' | 'activity';

/** `temporal.api.enums.v1.TaskQueueType`. */
const KINDS: Readonly<Record<Kind, number>> = { workflow: 1, activity: 2 };
/** `temporal.api.enums.v1.WorkerDeploymentVersionStatus`. */
const STATUSES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'];
const POLL_MS = 200;
/** Temporal informs every task queue before it replies. */
const SET_MS = 60_000;
const identity = 'holdpoint activate';
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

interface Activation {
  readonly connection: Pick<Connection, 'workflowService' | 'withDeadline'>;
  readonly namespace: string;
  readonly version: DeploymentVersion;
  /** How long to wait for the version's workers, in milliseconds. */
  readonly limitMs: number;
  /** Gets a line that says what the call waits for. */
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Makes a version of the workers current once its workers poll every task queue. Temporal then gives them every new
 * task, also of workflows that older workers have started.
 *
 * @returns the build id that was current before; undefined if unversioned workers were served
 * @throws TemporalConfigError `version_not_activated` if its workers do not come in time, or Temporal refuses
 */
export async function activate(activation: Activation): Promise<string | undefined> {
  await explained(() => untilPolled(activation));
  return explained(() => setCurrent(activation, activation.version.buildId));
}

/**
 * Gives every task to unversioned workers again, as before the first activation.
 *
 * @returns the build id that was current before; undefined if there was none
 * @throws TemporalConfigError `version_not_activated` if Temporal refuses
 */
export async function deactivate(
  activation: Pick<Activation, 'connection' | 'namespace' | 'version'>,
): Promise<string | undefined> {
  return explained(() => setCurrent(activation, ''));
}

/**
 * Gives a version a share of all workflows once its workers poll every task queue: new and open ones, by their ids,
 * with their next task. Making the version current ends the share.
 *
 * @param percentage - of the workflows, from 1 to 99; 0 ends the share, and waits for no workers
 * @throws TemporalConfigError `version_not_activated` if its workers do not come in time, or Temporal refuses
 */
export async function ramp(activation: Activation, percentage: number): Promise<void> {
  const { connection, namespace, version } = activation;
  const what = 'The version cannot get a share';
  if (percentage > 0) await explained(() => untilPolled(activation), what);
  const buildId = percentage > 0 ? version.buildId : '';
  const set = { namespace, deploymentName: version.deploymentName, buildId, percentage, identity };
  await explained(
    () =>
      connection.withDeadline(Date.now() + SET_MS, () =>
        connection.workflowService.setWorkerDeploymentRampingVersion(set),
      ),
    what,
  );
}

/**
 * Returns how Temporal uses a version: `current`, `ramping`, or neither: `draining` while workflows may still need its
 * workers, then `drained`; `created` or `inactive` if it never was either. `unknown` if no worker of it has polled yet.
 *
 * @throws TemporalConfigError `version_not_activated` if Temporal refuses
 */
export async function statusOf(
  where: Pick<Activation, 'connection' | 'namespace' | 'version'>,
): Promise<string> {
  const what = 'Temporal does not say how it uses the version';
  const described = await explained(() => describeVersion(where), what);
  return STATUSES[described?.workerDeploymentVersionInfo?.status ?? 0] ?? 'unknown';
}

async function untilPolled(activation: Activation): Promise<void> {
  const { version, limitMs, log, signal } = activation;
  const deadline = performance.now() + limitMs;
  for (let looks = 1; ; looks += 1) {
    const missing = await unpolledQueues(activation);
    const [first] = missing;
    if (first === undefined) return;
    const what = `workers of version ${version.buildId} at ${missing.join(', ')}`;
    if (performance.now() > deadline) {
      throw notActivated(
        `There are no ${what}. Start them, or wait for longer; nothing was changed.`,
      );
    }
    if (looks === 1) log(`Waiting up to ${Math.round(limitMs / 1_000)} s for ${what}`);
    await pause(POLL_MS, undefined, signal && { signal });
  }
}

/** Returns the task queues that no worker of the version polls, or that Temporal does not yet assign to it. */
async function unpolledQueues(activation: Activation): Promise<string[]> {
  const known = await knownQueues(activation);
  const missing: string[] = [];
  for (const [name, kinds] of Object.entries(TASK_QUEUES)) {
    for (const kind of kinds) {
      const isKnown = known.has(`${name} ${KINDS[kind]}`);
      if (!isKnown || !(await isPolled(activation, name, kind))) missing.push(`${name} (${kind})`);
    }
  }
  return missing;
}

async function knownQueues(activation: Activation): Promise<Set<string>> {
  const { versionTaskQueues = [] } = (await describeVersion(activation)) ?? {};
  return new Set(versionTaskQueues.map(({ name, type }) => `${name} ${type}`));
}

/** Returns undefined if no worker of this version has polled yet. */
async function describeVersion({
  connection,
  namespace,
  version,
}: Pick<Activation, 'connection' | 'namespace' | 'version'>) {
  try {
    return await connection.workflowService.describeWorkerDeploymentVersion({
      namespace,
      deploymentVersion: version,
    });
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

async function isPolled(
  { connection, namespace, version }: Activation,
  name: string,
  kind: Kind,
): Promise<boolean> {
  const request: object = { namespace, taskQueue: { name }, taskQueueType: KINDS[kind] };
  const { pollers } = await connection.workflowService.describeTaskQueue(request);
  const since = Date.now() - FRESH_POLL_MS;
  return pollers.some((poller) => {
    const polling = versionOfPoller(poller);
    const { deploymentName, buildId } = version;
    const isIt = polling?.deploymentName === deploymentName && polling.buildId === buildId;
    return isIt && lastPoll(poller) > since;
  });
}

async function setCurrent(
  { connection, namespace, version }: Pick<Activation, 'connection' | 'namespace' | 'version'>,
  buildId: string,
): Promise<string | undefined> {
  const { deploymentName } = version;
  const set = { namespace, deploymentName, buildId, identity };
  const { previousDeploymentVersion } = await connection.withDeadline(Date.now() + SET_MS, () =>
    connection.workflowService.setWorkerDeploymentCurrentVersion(set),
  );
  return previousDeploymentVersion?.buildId ?? undefined;
}

/** @param what - what failed, for the error */
async function explained<T>(
  work: () => Promise<T>,
  what = 'The version cannot be made current',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    const why =
      codeOf(error) === UNIMPLEMENTED
        ? 'this Temporal server does not know Worker Deployments: update it, or set HOLDPOINT_WORKER_VERSIONING=false for all workers'
        : oneLine(error.details || reasonOf(error));
    throw notActivated(`${what}: ${why}.`, error);
  }
}

function codeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}

function notActivated(message: string, cause?: unknown): TemporalConfigError {
  return new TemporalConfigError('version_not_activated', message, { cause });
}
