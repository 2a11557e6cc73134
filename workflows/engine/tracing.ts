import { proxySinks, workflowInfo } from '@temporalio/workflow';
import type {
  ActivateInput,
  Headers,
  Sinks,
  WorkflowInboundCallsInterceptor,
  WorkflowInterceptorsFactory,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { TraceContext } from '../../contracts/constants/trace-context.js';
import { sha256Hex } from '../../domain/kernel/hashing.js';
import { traceIn, withTrace } from './trace-header.js';

/** A span of a workflow that has ended. The worker checks its content before it leaves the process. */
export interface WorkflowSpan {
  readonly id: string;
  readonly name: string;
  readonly parent: TraceContext;
  /** The span in which the workflow was started, where that is another trace. */
  readonly origin?: TraceContext;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What a question waits for, how it ended, or what an answer did. */
  readonly responseType?: unknown;
  readonly outcome?: unknown;
  readonly failed?: true;
}

/** Where the spans of workflows go. A worker that traces nothing drops them. */
export interface TracingSinks extends Sinks {
  readonly holdpointTracing: { ended(span: WorkflowSpan): void };
}

const { holdpointTracing } = proxySinks<TracingSinks>();
const SPAN_ID_DIGITS = 16;

/**
 * The traces of one run, which has one only if a message in its history brought it. So a replay does not depend on whether the
 * worker traces. Interceptors await nothing, use no randomness and add no command: without them a run differs only in
 * the headers of what it sends (docs/adr/0050).
 */
class RunTraces {
  /** The span with which the run began; whatever the clock brings belongs to it. */
  private begun: TraceContext | undefined;
  /** The span of the last message; what the run does after it belongs to it. */
  private cause: TraceContext | undefined;
  private count = 0;

  /** What the clock brings belongs to the beginning of the run, and not to the message before. */
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

  /** Makes a span of the end of the workflow, if something that is traced has led to it. */
  conclude(result: unknown): void {
    if (this.cause === undefined) return;
    const { workflowType } = workflowInfo();
    this.span(`end ${workflowType}`, this.cause).end({ outcome: fieldOf(result, 'resolution') });
  }

  /** Handles a message within a span. */
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

  /** The headers of something that the run sends. */
  sent(headers: Headers, context = this.cause): Headers {
    return context === undefined ? headers : withTrace(headers, context);
  }

  /** The headers of the next run, which began where this one did. */
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

/** The time for spans alone: it differs in a replay, so nothing may depend on it. */
function wallClock(): number {
  const { unsafe } = workflowInfo();
  return unsafe.isReplaying ? Date.now() : unsafe.now();
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Waits for as long as a question does, and brings nothing about. */
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

/** For each copy of a workflow that a worker makes. */
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
