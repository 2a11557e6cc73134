import type { InjectedSinks } from '@temporalio/worker';
import { RESOLUTIONS, RESPONSE_TYPES } from '../../contracts/constants/statuses.js';
import { workflowAttributes } from '../../domain/kernel/span-attributes.js';
import type { Attributes, Tracing } from '../../runtime/tracing/tracing.js';
import type { TracingSinks, WorkflowSpan } from '../../workflows/engine/tracing.js';

/** The outcomes that spans may show: nothing else of an answer or a result gets into a span. */
const OUTCOMES: ReadonlySet<unknown> = new Set([...RESOLUTIONS, 'counted', 'settled']);
const TYPES: ReadonlySet<unknown> = new Set(RESPONSE_TYPES);

/** Drops the spans of workflows, in a process that does not trace. */
export const NO_TRACES: InjectedSinks<TracingSinks> = {
  holdpointTracing: { ended: { fn: () => undefined } },
};

/** Sends the spans of workflows. */
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
