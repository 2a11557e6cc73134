import type { WorkflowHandle } from '@temporalio/client';
import type { InjectedSinks } from '@temporalio/worker';
import assert from 'node:assert/strict';
import type { CommandSinks, Issued } from './issued-commands.js';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];
type SignalSent = NonNullable<
  HistoryEvent['signalExternalWorkflowExecutionInitiatedEventAttributes']
>;
type Payloads =
  | { readonly payloads?: readonly { readonly data?: Uint8Array | null }[] | null }
  | null
  | undefined;

/** What the code issues while it replays histories, by the id of each workflow. */
export class ReplayedCommands {
  private readonly issued = new Map<string, Issued[]>();

  get sinks(): InjectedSinks<CommandSinks> {
    const fn = ({ workflowId }: { readonly workflowId: string }, command: Issued): void => {
      this.issued.set(workflowId, [...this.of(workflowId), command]);
    };
    return { commands: { issued: { fn, callDuringReplay: true } } };
  }

  of(workflowId: string): readonly Issued[] {
    return this.issued.get(workflowId) ?? [];
  }
}

/**
 * Compares the content of what a history records (the inputs of activities, signals, children and the next run, the
 * results of Updates and of the workflow) with what the replayed code issued. Temporal compares kinds alone, so that
 * content that a replay does not repeat goes unnoticed. Returns the first difference, or undefined.
 */
export function differenceOf(history: History, replayed: readonly Issued[]): Error | undefined {
  const left = [...replayed];
  for (const recorded of (history.events ?? []).flatMap(contentOf)) {
    const index = left.findIndex(({ kind, key }) => kind === recorded.kind && key === recorded.key);
    const [found] = index < 0 ? [] : left.splice(index, 1);
    try {
      // The replayed content was made in another realm, whose arrays differ.
      assert.deepEqual(found && [...found.content], recorded.content);
    } catch (error) {
      const what = `${recorded.kind} ${recorded.key}`.trim();
      return new Error(`A replay issues another ${what} than the history has: ${String(error)}`);
    }
  }
  return undefined;
}

function contentOf(event: HistoryEvent): readonly Issued[] {
  const {
    activityTaskScheduledEventAttributes: activity,
    signalExternalWorkflowExecutionInitiatedEventAttributes: signal,
    startChildWorkflowExecutionInitiatedEventAttributes: child,
    workflowExecutionUpdateCompletedEventAttributes: update,
    workflowExecutionCompletedEventAttributes: end,
    workflowExecutionContinuedAsNewEventAttributes: next,
  } = event;
  const success = update?.outcome?.success;
  return [
    activity && issued('activity', activity.activityId, activity.input),
    signal && issued(signalTo(signal), '', signal.input),
    child && issued('child', child.workflowId, child.input),
    success && issued('update', update.meta?.updateId, success),
    end && issued('result', '', end.result),
    next && issued('next run', '', next.input),
  ].filter((one) => typeof one === 'object' && one !== null);
}

function signalTo({ signalName, workflowExecution }: SignalSent): string {
  return `signal ${signalName ?? ''} to ${workflowExecution?.workflowId ?? ''}`;
}

function issued(kind: string, key: string | null | undefined, input: Payloads): Issued {
  const payloads = input?.payloads ?? [];
  const content = payloads.map(({ data }) => Buffer.from(data ?? []).toString());
  return { kind, key: key ?? '', content };
}
