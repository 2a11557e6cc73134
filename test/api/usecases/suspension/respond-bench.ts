import type { StoredAnswer } from '../../../../store/queries/suspension.js';
import type { Caller } from '../../../../api/parts/caller.js';
import { respond, type AnswerRequest } from '../../../../api/usecases/suspension/respond.js';
import type { Intent } from '../../../../contracts/intent/intent.js';
import type { Refusal } from '../../../../contracts/kernel/problem.js';
import type { SuspensionView } from '../../../../contracts/suspension/view.js';
import { respondResult } from '../../../../domain/suspension/answering/response.js';
import type { OperatorAnswer } from '../../../../workflows/suspension/messages.js';
import {
  INTENT_ID,
  ManualClock,
  SETTLED,
  SUSPENSION_ID,
  callerOf,
  closed,
  updateRefused,
  type FakeCall,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

export const RESULT = respondResult(INTENT_ID, SETTLED);
export const ALICE = callerOf('alice', 'operator');

export interface World {
  readonly suspensionConfig?: object;
  readonly approvals?: object;
  readonly update?: (call: FakeCall) => unknown;
  readonly signal?: (call: FakeCall) => unknown;
  /** In place of what `intent` and `suspension` say. */
  readonly query?: (call: FakeCall) => unknown;
  readonly describe?: (call: FakeCall) => unknown;
  readonly intent?: Intent;
  readonly suspension?: SuspensionView;
  /** What the store shows instead, once it has caught up. */
  readonly writtenLater?: SuspensionView;
  readonly stored?: (key: string) => StoredAnswer | undefined;
}

export { closed };
export const refuse = (refusal: Refusal) => (): never => {
  throw updateRefused(refusal);
};
/** The answer that the suspension, or its Update, was handed. */
export const answerIn = (call: FakeCall | undefined) => call?.args[0] as OperatorAnswer;
export const accept = (call: FakeCall) => ({
  result: RESULT,
  body_hash: answerIn(call).answer.body_hash,
});

/** Answers over fakes: how Temporal and the store reply is up to the test. */
export function bench({
  update = accept,
  signal = () => undefined,
  describe = closed,
  ...world
}: World = {}) {
  const { suspensionConfig: suspension = {}, approvals = {} } = world;
  const clock = new ManualClock();
  const query = ({ name, workflowId }: FakeCall): unknown => {
    if (name === 'intent' && world.intent && workflowId === `intent-${INTENT_ID}`) {
      return { intent: world.intent, last_sequence: 4 };
    }
    if (name === 'record' && world.suspension) return world.suspension;
    return closed();
  };
  const handlers = { update, signal, query: world.query ?? query, describe };
  const fake = fakeParts({
    clock,
    config: { suspension, approvals },
    temporal: handlers,
    store: {
      findAnswer: async () => world.stored?.(sentKey()),
      findSuspension: async () =>
        caughtUp ? (world.writtenLater ?? world.suspension) : world.suspension,
    },
    deps: { agentsIn: () => new Set(['agent-1']) },
  });
  const { calls } = fake;
  const sentKey = () => calls.find(({ name }) => name === 'respond')?.updateId ?? '';
  const touched: string[] = [];
  let caughtUp = false;
  const spies = {
    consistency: { touch: (intentId: string) => touched.push(intentId) },
    settlements: {
      touch: (id: string, state: string) => touched.push(`${id} ${state}`),
      catchUp: async () => {
        caughtUp = true;
        return true;
      },
    },
    writtenApprovals: {
      touch: (id: string, wanted: unknown) => touched.push(`${id} ${JSON.stringify(wanted)}`),
    },
    questionRows: {
      writeLast: async (suspensionId: string) => {
        touched.push(`rows of ${suspensionId}`);
        caughtUp = true;
      },
      writeEarly: (suspensionId: string) => void touched.push(`early: rows of ${suspensionId}`),
    },
    intentRows: {
      collect: async (intentId: string) => {
        touched.push(`rows that ${intentId} left`);
        caughtUp = true;
      },
      collectDue: (intentId: string) => void touched.push(`later: rows that ${intentId} left`),
    },
  };
  const parts = { ...fake.parts, ...(spies as object) };
  const answered = (
    caller: Caller,
    intentId: string | undefined,
    request: AnswerRequest,
    key?: string,
  ) => respond.run({ caller, parts }, intentId, request, key);
  const answer = (value = 'yes', key?: string, suspension_id = SUSPENSION_ID) =>
    answered(ALICE, INTENT_ID, { suspension_id, value }, key);
  const writes = () => parts.whole.admission.counts;
  return { clock, calls, touched, writes, respond: answer, answered };
}
