import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { shownChannel } from '../../activities/channels/routing.js';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { traceparentOf } from '../../contracts/constants/trace-context.js';
import { workflowAttributes } from '../../domain/kernel/span-attributes.js';
import { currentSpan, spanned } from '../../runtime/tracing/tracing.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import { traceIn } from '../../workflows/engine/trace-header.js';

/** Makes a span of each try of an activity whose workflow is traced. */
export function traceActivities(tracing: Tracing): ActivityInterceptorsFactory {
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

/** Puts a span around what activities write to the store, and notes the channel of a delivery in its span. */
export function traced(tracing: Tracing, dependencies: ActivityDependencies): ActivityDependencies {
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

/** Returns the `traceparent` of the calling activity. */
export function currentTraceparent(): string | undefined {
  const span = currentSpan();
  return span && traceparentOf(span.context);
}
