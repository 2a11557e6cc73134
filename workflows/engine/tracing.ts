import {
  proxySinks,
  workflowInfo,
  type ActivateInput,
  type Headers,
  type Sinks,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { TraceContext } from '../../contracts/constants/headers.js';
import { sha256Hex } from '../../domain/kernel/hashing.js';
import { traceIn, withTrace } from './trace-header.js';

/** A finished span of a workflow. The worker checks its content before it leaves the process. */
export interface WorkflowSpan {
  readonly id: string;
  readonly name: string;
  readonly parent: TraceContext;
  /** The span in which the workflow was started, if that is in another trace. */
  readonly origin?: TraceContext;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What a question waits for, how it ended, or what an answer did. */
  readonly responseType?: unknown;
  readonly outcome?: unknown;
  readonly failed?: true;
}

/** Receives the spans of workflows. A worker without tracing drops them. */
export interface TracingSinks extends Sinks {
  readonly holdpointTracing: { ended(span: WorkflowSpan): void };
}

const { holdpointTracing } = proxySinks<TracingSinks>();
const SPAN_ID_DIGITS = 16;

/**
 * The traces of one run, which has one only if a message in its history brought it, so that a replay does not depend
 * on tracing. Interceptors await nothing, use no randomness and add no command (docs/adr/0050).
 */
class RunTraces {
  /** The span with which the run began; the effects of timers belong to it. */
  private begun: TraceContext | undefined;
  /** The span of the last message; later actions of the run belong to it. */
  private cause: TraceContext | undefined;
  private count = 0;

  /** The effects of timers belong to the beginning of the run, and not to the last message. */
  timerFired(): void {
    this.cause = this.begun;
  }

  begin(headers: Headers, args: readonly unknown[]): void {
    const parent = traceIn(headers);
    if (parent === undefined) return;
    const { workflowType, startTime } = workflowInfo();
    const span = this.span(`workflow ${workflowType}`, parent);
    this.begun = span.context;
    this.cause = span.context;
    span.end({
      startedAt: startTime.getTime(),
      responseType: fieldOf(fieldOf(args[0], 'record'), 'response_type'),
    });
  }

  /** Makes a span for the end of the workflow, if something traced caused it. */
  conclude(result: unknown): void {
    if (this.cause === undefined) return;
    const { workflowType } = workflowInfo();
    this.span(`end ${workflowType}`, this.cause).end({ outcome: fieldOf(result, 'resolution') });
  }

  handle<T>(name: string, headers: Headers, next: () => Promise<T>, isCause: boolean): Promise<T> {
    const parent = traceIn(headers);
    if (parent === undefined) return next();
    const span = this.span(name, parent);
    if (isCause) this.cause = span.context;
    const handled = next();
    handled.then(
      (result) => span.end({ outcome: fieldOf(result, 'verdict') }),
      () => span.end({ failed: true }),
    );
    return handled;
  }

  sent(headers: Headers, context = this.cause): Headers {
    return context === undefined ? headers : withTrace(headers, context);
  }

  /** The headers of the next run, which has the same beginning as this one. */
  handedOver(headers: Headers): Headers {
    return this.sent(headers, this.begun);
  }

  private span(name: string, parent: TraceContext) {
    this.count += 1;
    const id = sha256Hex(`${workflowInfo().runId} ${this.count}`).slice(0, SPAN_ID_DIGITS);
    const { traceId, sampled } = parent;
    const startedAt = wallClock();
    const { begun } = this;
    const origin = begun && begun.traceId !== traceId ? { origin: begun } : {};
    const end = (more: Partial<WorkflowSpan>): void => {
      if (!sampled || workflowInfo().unsafe.isReplaying) return;
      const span = { id, name, parent, ...origin, startedAt, ...more };
      holdpointTracing.ended({ ...span, endedAt: Math.max(wallClock(), span.startedAt) });
    };
    return { context: { traceId, spanId: id, sampled }, end };
  }
}

/** The time, only for spans: it differs in a replay, so nothing may depend on it. */
function wallClock(): number {
  const { unsafe } = workflowInfo();
  return unsafe.isReplaying ? Date.now() : unsafe.now();
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** This Update waits for as long as a question does, and has no effects. */
const WAITING = 'outcome';

function inbound(traces: RunTraces): WorkflowInboundCallsInterceptor {
  return {
    execute(input, next) {
      traces.begin(input.headers, input.args);
      const ended = next(input);
      ended.then(
        (result) => traces.conclude(result),
        () => undefined,
      );
      return ended;
    },
    handleUpdate: (input, next) =>
      traces.handle(
        `update ${input.name}`,
        input.headers,
        () => next(input),
        input.name !== WAITING,
      ),
    handleSignal: (input, next) =>
      traces.handle(`signal ${input.signalName}`, input.headers, () => next(input), true),
  };
}

function outbound(traces: RunTraces): WorkflowOutboundCallsInterceptor {
  return {
    scheduleActivity: (input, next) => next({ ...input, headers: traces.sent(input.headers) }),
    startChildWorkflowExecution: (input, next) =>
      next({ ...input, headers: traces.sent(input.headers) }),
    signalWorkflow: (input, next) => next({ ...input, headers: traces.sent(input.headers) }),
    continueAsNew: (input, next) => next({ ...input, headers: traces.handedOver(input.headers) }),
  };
}

function hasTimer({ activation: { jobs } }: ActivateInput): boolean {
  return (jobs ?? []).some(({ fireTimer }) => fireTimer);
}

/** Called for each copy of a workflow in a worker. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const traces = new RunTraces();
  return {
    inbound: [inbound(traces)],
    outbound: [outbound(traces)],
    internals: [
      {
        activate(input, next) {
          if (hasTimer(input)) traces.timerFired();
          next(input);
        },
      },
    ],
  };
};
