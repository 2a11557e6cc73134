import { ChildWorkflowFailure, TemporalFailure } from '@temporalio/common';
import { CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import type { ApprovalResolution } from '../../contracts/approval/approval.js';
import type { GateOutcome, ToolCall, ToolResult } from '../../contracts/approval/gate.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { approvedCalls, idempotencyKeyOf } from '../../domain/approval/running/redemption.js';
import {
  cancelledResult,
  completedResult,
  deniedResult,
  erroredResult,
  mutatedResult,
  rejectedResult,
  undecidedResult,
  type Decided,
} from '../../domain/approval/running/tool-result.js';
import { afterRejection, type AfterRejection } from '../../domain/approval/asking/turn.js';
import { jsonEqual } from '../../domain/kernel/json.js';
import type { ApprovalResult } from '../approval/messages.js';
import { decided, liveProposal, noteFound, type Group, type Opening } from './group-approval.js';
import { TOO_LARGE, type Sorted } from './judging.js';
import { asJson, toolOf, type Turn } from './options.js';

interface Stop {
  readonly after: Exclude<AfterRejection, 'continue'>;
  readonly name: string;
  readonly reason: string;
}

/**
 * A running turn. Whatever runs or waits has a scope of its own, so that a rejection can end it. Every call gets one
 * result.
 */
export class TurnRun {
  private readonly turn: Turn;
  private readonly sorted: readonly Sorted[];
  private readonly results = new Map<string, ToolResult>();
  private readonly begun = new Set<string>();
  private readonly scopes = new Set<CancellationScope>();
  private readonly works: Promise<void>[] = [];
  private stop: Stop | undefined;
  /** The cancellation of the workflow, or of the scope around the turn. */
  private cancellation: CancelledFailure | undefined;

  constructor(turn: Turn, sorted: readonly Sorted[]) {
    this.turn = turn;
    this.sorted = sorted;
  }

  get ungated(): readonly ToolCall[] {
    return this.sorted.flatMap(({ call, handling }) => (handling.kind === 'run' ? [call] : []));
  }

  /** Starts calls without a gate (JC-23). They continue while others wait (JC-24). */
  startUngated(calls: readonly ToolCall[]): void {
    for (const call of calls) this.begin([call], () => this.runUngated(call));
  }

  /**
   * Opens the approval of a group once the snapshot is stored, which makes its `opening`, and runs what is approved.
   * The calls in `held` run after it has ended, unless that ends the turn.
   */
  startGroup(group: Group, opening: Promise<Opening>, held: readonly ToolCall[]): void {
    this.begin([...group.calls, ...held], async () => {
      await this.settle(group, await opening);
      await Promise.all(held.map((call) => this.runUngated(call)));
    });
  }

  /** Refuses calls that are too large together, without asking anybody. */
  refuse({ calls }: Group): void {
    for (const call of calls) this.take(erroredResult(call, TOO_LARGE));
  }

  /** The results in the order of the calls, once each call has one (JC-34). */
  async outcome(): Promise<GateOutcome> {
    await Promise.all(this.works);
    if (this.cancellation) throw this.cancellation;
    // A malformed call may have the id of another one.
    const results = this.sorted.flatMap(
      ({ call, result }) => result ?? this.results.get(call.id) ?? [],
    );
    if (this.stop === undefined || this.stop.after === 'cancel') {
      return { status: 'completed', results };
    }
    const status = this.stop.after === 'abort' ? 'aborted' : 'cancelled';
    return { status, results, reason: this.stop.reason };
  }

  private take(result: ToolResult): void {
    this.results.set(result.call_id, result);
  }

  private begin(calls: readonly ToolCall[], work: () => Promise<void>): void {
    const scope = new CancellationScope();
    this.scopes.add(scope);
    const run = scope.run(work).catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
      this.cutShort(calls);
    });
    this.works.push(run.finally(() => this.scopes.delete(scope)));
  }

  /** Ends calls that were cancelled: by a rejection that ended the turn, else from outside. */
  private cutShort(calls: readonly ToolCall[]): void {
    if (this.stop === undefined) {
      this.cancellation ??= new CancelledFailure('The turn was cancelled.');
      return;
    }
    const { name } = this.stop;
    const open = calls.filter(({ id }) => !this.results.has(id));
    for (const call of open) this.take(cancelledResult(call, name, this.begun.has(call.id)));
  }

  private async settle(group: Group, opening: Opening): Promise<void> {
    const { calls, proposal } = group;
    const { approval_id } = proposal;
    const result = await this.decision(group, opening);
    demandScope();
    if (typeof result === 'string') {
      for (const call of calls) this.take(undecidedResult(call, result, { approval_id }));
      this.end(group, `The approval was ${result}.`);
      return;
    }
    const { resolution } = result;
    const known: Decided = { approval_id, ...resolution };
    if (resolution.status === 'approved') {
      const live = liveProposal(this.turn, group);
      const allowed = live && approvedCalls(live, result);
      if (allowed?.ok) {
        const args = new Map(allowed.value.map((call) => [call.id, call.arguments]));
        const runs = calls.flatMap((call) => {
          const approved = args.get(call.id);
          return approved ? [this.execute(call, approved, known)] : [];
        });
        await Promise.all(runs);
        return;
      }
      if (opening.notes_mutations) await noteFound(this.turn, group, live, result);
    }
    for (const call of calls) this.take(refusedResult(call, resolution, known, group));
    this.end(group, resolution.comment ?? resolution.reason);
  }

  /** Returns how an approval ended; `withdrawn` if somebody cancelled its workflow, `lost` if it is gone. */
  private async decision(
    group: Group,
    opening: Opening,
  ): Promise<ApprovalResult | 'withdrawn' | 'lost'> {
    try {
      return await decided(this.turn, group, opening);
    } catch (error) {
      if (!(error instanceof ChildWorkflowFailure)) throw error;
      demandScope();
      return isCancellation(error) ? 'withdrawn' : 'lost';
    }
  }

  /** Ends the rest of the turn after calls that were not approved, if required. */
  private end({ calls, on_reject }: Group, why: string | undefined): void {
    const after = afterRejection(on_reject, this.turn.rejection_policy);
    if (after === 'continue' || this.stop !== undefined) return;
    const name = calls.map((call) => call.name).join(', ');
    const reason = `"${name}" was not approved${why === undefined ? '.' : `: ${why}`}`;
    this.stop = { after, name, reason };
    for (const scope of this.scopes) scope.cancel();
    demandScope();
  }

  private runUngated(call: ToolCall): Promise<void> {
    return this.execute(call, call.arguments);
  }

  /**
   * Runs a tool. A Temporal failure is a result too; any other error is a mistake in the code, and fails the
   * workflow's task.
   */
  private async execute(call: ToolCall, args: JsonObject, known?: Decided): Promise<void> {
    demandScope();
    const { run_id, turn_index } = this.turn;
    const { approval_id } = known ?? {};
    const asked = approval_id === undefined ? { run_id, turn_index } : { approval_id };
    const edited = !jsonEqual(args, call.arguments);
    const ran = { arguments: args, edited };
    this.begun.add(call.id);
    try {
      const value = await toolOf(this.turn, call.name)?.run(asJson(args), {
        call_id: call.id,
        name: call.name,
        idempotency_key: idempotencyKeyOf(call.id, asked),
        edited,
        ...defined({ approval_id }),
      });
      this.take(completedResult(call, value as JsonValue | undefined, ran, known));
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
      if (isCancellation(error)) demandScope();
      const { message } = error.cause ?? error;
      this.take(erroredResult(call, message, ran, known));
    }
  }
}

/** Throws in a cancelled scope, where nothing may begin. */
function demandScope(): void {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('The turn was cancelled.');
  }
}

function refusedResult(
  call: ToolCall,
  { status, by }: ApprovalResolution,
  known: Decided,
  { on_reject }: Group,
): ToolResult {
  switch (status) {
    case 'rejected':
      return by === 'policy'
        ? deniedResult(call, known.reason)
        : rejectedResult(call, known, on_reject);
    case 'expired':
      return undecidedResult(call, 'expired', known);
    case 'cancelled':
      return undecidedResult(call, 'withdrawn', known);
    case 'approved':
    case 'failed':
      return mutatedResult(call, known);
  }
}
