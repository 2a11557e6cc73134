import { proxySinks, type Sinks, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** A command of a workflow that carries content: which one it is, and the content as texts. */
export interface Issued {
  readonly kind: string;
  readonly key: string;
  readonly content: readonly string[];
}

/** Where the commands go; `runId` is the run's in the history. */
export interface CommandSinks extends Sinks {
  readonly commands: { issued(command: Issued): void };
}

interface Payload {
  readonly data?: Uint8Array | null;
}
type Payloads = readonly Payload[] | null | undefined;

const { commands } = proxySinks<CommandSinks>();
const decoder = new TextDecoder();

function texts(payloads: Payloads): readonly string[] {
  return (payloads ?? []).map(({ data }) => decoder.decode(data ?? new Uint8Array()));
}

/** Hands every command with content to a sink, in a replay too. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  internals: [
    {
      concludeActivation(input, next) {
        const output = next(input);
        for (const command of output.commands) {
          const { scheduleActivity: activity, signalExternalWorkflowExecution: signal } = command;
          const { startChildWorkflowExecution: child, updateResponse: update } = command;
          const { completeWorkflowExecution: end, continueAsNewWorkflowExecution: next } = command;
          const issue = (kind: string, key: string | null | undefined, content: Payloads): void => {
            commands.issued({ kind, key: key ?? '', content: texts(content) });
          };
          if (activity) issue('activity', activity.activityId, activity.arguments);
          if (signal) {
            const to = signal.workflowExecution?.workflowId ?? '';
            issue(`signal ${signal.signalName} to ${to}`, '', signal.args);
          }
          if (child) issue('child', child.workflowId, child.input);
          if (update?.completed) issue('update', update.protocolInstanceId, [update.completed]);
          if (end) issue('result', '', end.result ? [end.result] : []);
          if (next) issue('next run', '', next.arguments);
        }
        return output;
      },
    },
  ],
});
