import type {
  ActivityInterceptorsFactory,
  InjectedSinks,
  WorkerInterceptors,
} from '@temporalio/worker';
import { shownChannel } from '../../activities/channels/routing.js';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { traceparentOf } from '../../contracts/constants/headers.js';
import { workflowAttributes } from '../../domain/kernel/span-attributes.js';
import {
  currentSpan,
  spanned,
  type Attributes,
  type Tracing,
} from '../../runtime/tracing/tracing.js';
import { traceIn } from '../../workflows/engine/trace-header.js';
import { RESOLUTIONS, RESPONSE_TYPES } from '../../contracts/constants/statuses.js';
import type { TracingSinks, WorkflowSpan } from '../../workflows/engine/tracing.js';
import type { Logger } from 'pino';
import { startTracing } from '../../runtime/tracing/start.js';

function traceActivities(tracing: Tracing): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute(input, next) {
        const parent = traceIn(input.headers);
        if (parent === undefined) return next(input);
        const { activityType, attempt, workflowExecution } = info;
        const attributes = {
          ...workflowAttributes(workflowExecution?.workflowId ?? ''),
          'holdpoint.activity.type': activityType,
          'holdpoint.activity.try': attempt,
        };
        const name = `activity ${activityType}`;
        return spanned(tracing, { name, kind: 'consumer', parent, attributes }, () => next(input));
      },
    },
  });
}

/** Adds a span to what activities write to the store, and the channel of a delivery to its span. */
function traced(tracing: Tracing, dependencies: ActivityDependencies): ActivityDependencies {
  const { store, deliveries, config } = dependencies;
  return {
    ...dependencies,
    store: {
      ...store,
      writeRows: (rows) => {
        const parent = currentSpan()?.context;
        if (parent === undefined) return store.writeRows(rows);
        const attributes = { 'holdpoint.rows': rows.length };
        const start = { name: 'store write', kind: 'client', parent, attributes } as const;
        return spanned(tracing, start, () => store.writeRows(rows));
      },
    },
    deliveries: {
      ...deliveries,
      recordTry: (tried) => {
        const { outcome } = tried;
        const channel = shownChannel(tried.channel, config.notifications);
        currentSpan()?.set({ 'holdpoint.channel': channel, 'holdpoint.outcome': outcome });
        return deliveries.recordTry(tried);
      },
    },
  };
}

function currentTraceparent(): string | undefined {
  const span = currentSpan();
  return span && traceparentOf(span.context);
}

/** The outcomes that spans may show: nothing else of an answer or a result is in a span. */
const OUTCOMES: ReadonlySet<unknown> = new Set([...RESOLUTIONS, 'counted', 'settled']);
const TYPES: ReadonlySet<unknown> = new Set(RESPONSE_TYPES);

/** Drops the spans of workflows, in a process that does not trace. */
const NO_TRACES: InjectedSinks<TracingSinks> = {
  holdpointTracing: { ended: { fn: () => undefined } },
};

export function workflowSpans(tracing: Tracing): InjectedSinks<TracingSinks> {
  return {
    holdpointTracing: {
      ended: {
        fn({ workflowId, workflowType, runId }, ended) {
          const { id, name, parent, origin, startedAt, endedAt, failed } = ended;
          const attributes = {
            ...workflowAttributes(workflowId),
            'holdpoint.workflow.type': workflowType,
            'holdpoint.workflow.run_id': runId,
            ...said(ended),
          };
          const span = tracing.start({
            name,
            kind: 'internal',
            parent,
            link: origin,
            attributes,
            startedAt,
            id,
          });
          if (failed) span.fail();
          span.end(endedAt);
        },
      },
    },
  };
}

function said({ outcome, responseType }: WorkflowSpan): Attributes {
  return {
    ...(OUTCOMES.has(outcome) && { 'holdpoint.outcome': outcome as string }),
    ...(TYPES.has(responseType) && { 'holdpoint.response_type': responseType as string }),
  };
}

/** The options that trace a worker; without effect if there is no endpoint. */
export interface WorkerTracing {
  readonly sinks: InjectedSinks<TracingSinks>;
  readonly activities: NonNullable<WorkerInterceptors['activity']>;
  readonly traced: (dependencies: ActivityDependencies) => ActivityDependencies;
  /** Returns the header that deliveries send. */
  readonly traceparent: () => string | undefined;
  readonly close: () => Promise<void>;
}

const OFF: WorkerTracing = {
  sinks: NO_TRACES,
  activities: [],
  traced: (dependencies) => dependencies,
  traceparent: () => undefined,
  close: () => Promise.resolve(),
};

/**
 * Traces a worker, if the environment names an endpoint; see `startTracing`.
 *
 * @throws StartupError if a setting cannot be used
 */
export async function startWorkerTracing(
  env: NodeJS.ProcessEnv,
  log: Logger,
): Promise<WorkerTracing> {
  const tracing = await startTracing(env, 'holdpoint-worker', log);
  return tracing === undefined ? OFF : workerTracing(tracing);
}

export function workerTracing(tracing: Tracing): WorkerTracing {
  return {
    sinks: workflowSpans(tracing),
    activities: [traceActivities(tracing)],
    traced: (dependencies) => traced(tracing, dependencies),
    traceparent: currentTraceparent,
    close: () => tracing.close(),
  };
}
