import type proto from '@temporalio/proto';

export type Outcome = proto.temporal.api.update.v1.IOutcome;
export type UpdateRequest = proto.temporal.api.update.v1.IRequest;

const WITHOUT_END: Outcome = {
  failure: {
    message: 'Workflow Update failed because the Workflow completed before the Update completed.',
    source: 'Server',
    applicationFailureInfo: { type: 'AcceptedUpdateCompletedWorkflow', nonRetryable: true },
  },
};

/** An Update that a run was sent. */
export class Update {
  readonly id: string;
  readonly request: UpdateRequest;
  acceptedEventId: number | undefined;
  outcome: Outcome | undefined;
  private accept: () => void = () => undefined;
  private end: (outcome: Outcome) => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;
  /** Resolves once the run has accepted or refused it; rejects if it closed first. */
  readonly decided: Promise<void>;
  readonly ended: Promise<Outcome>;

  constructor(id: string, request: UpdateRequest) {
    this.id = id;
    this.request = request;
    const lost = new Promise<never>((_, reject) => (this.fail = reject));
    this.ended = Promise.race([new Promise<Outcome>((resolve) => (this.end = resolve)), lost]);
    this.decided = Promise.race([new Promise<void>((resolve) => (this.accept = resolve)), lost]);
    for (const each of [lost, this.ended, this.decided]) each.catch(() => undefined);
  }

  get job(): proto.coresdk.workflow_activation.IDoUpdate {
    const { meta, input } = this.request;
    return {
      id: this.id,
      protocolInstanceId: this.id,
      name: input?.name ?? '',
      input: input?.args?.payloads ?? [],
      headers: input?.header?.fields ?? {},
      meta: meta ?? {},
      runValidator: true,
    };
  }

  accepted(eventId: number): void {
    this.acceptedEventId = eventId;
    this.accept();
  }

  settle(outcome: Outcome): void {
    this.outcome = outcome;
    this.accept();
    this.end(outcome);
  }

  /** Its run has closed. */
  lost(error: Error): void {
    if (this.outcome) return;
    if (this.acceptedEventId === undefined) this.fail(error);
    else this.settle(WITHOUT_END);
  }
}
