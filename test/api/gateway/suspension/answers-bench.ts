import { WorkflowNotFoundError } from '@temporalio/client';
import { createTemporal } from '../../../../api/gateway/calls/temporal.js';
import { createReads } from '../../../../api/gateway/intent/reads.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import { serverConfigSchema } from '../../../../contracts/config.js';
import type { StoredAnswer } from '../../../../store/queries/suspension.js';
import { createAnswers } from '../../../../api/gateway/suspension/answers.js';
import { createDiagnose } from '../../../../api/gateway/suspension/diagnosis.js';
import type { Intent } from '../../../../contracts/intent.js';
import type { Refusal } from '../../../../contracts/problem.js';
import type { SuspensionView } from '../../../../contracts/suspension-view.js';
import { respondResult } from '../../../../domain/suspension/response.js';
import type { OperatorAnswer } from '../../../../workflows/suspension/messages.js';
import {
  INTENT_ID,
  ManualClock,
  SETTLED,
  SUSPENSION_ID,
  callerOf,
  fakeClient,
  fakeStore,
  noList,
  silent,
  updateRefused,
} from '../support.js';
import type { FakeCall } from '../support.js';

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

export const closed = (): never => {
  throw new WorkflowNotFoundError('closed', '', undefined);
};
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
  const config = serverConfigSchema.parse({ suspension, approvals });
  const clock = new ManualClock();
  const query = ({ name, workflowId }: FakeCall): unknown => {
    if (name === 'intent' && world.intent && workflowId === `intent-${INTENT_ID}`) {
      return { intent: world.intent, last_sequence: 4 };
    }
    if (name === 'record' && world.suspension) return world.suspension;
    return closed();
  };
  const handlers = { update, signal, query: world.query ?? query, describe };
  const { client, calls } = fakeClient(handlers);
  const sentKey = () => calls.find(({ name }) => name === 'respond')?.updateId ?? '';
  const store = fakeStore({
    findAnswer: async () => world.stored?.(sentKey()),
    findSuspension: async () =>
      caughtUp ? (world.writtenLater ?? world.suspension) : world.suspension,
  });
  const fromStore = createFromStore(store, clock, silent);
  const temporal = createTemporal(client, clock);
  const reads = createReads(temporal, fromStore, clock);
  const touched: string[] = [];
  let caughtUp = false;
  const settlements = {
    touch: (id: string, state: string) => touched.push(`${id} ${state}`),
    catchUp: async () => {
      caughtUp = true;
      return true;
    },
  };
  const answers = createAnswers({
    agents: new Set(['agent-1']),
    clock,
    config,
    temporal,
    fromStore,
    reads,
    diagnose: createDiagnose(reads, noList),
    consistency: { touch: (intentId) => touched.push(intentId) },
    settlements,
    writtenApprovals: {
      touch: (id, wanted) => touched.push(`${id} ${JSON.stringify(wanted)}`),
    },
    questionRows: {
      writeLast: async (suspensionId) => {
        touched.push(`rows of ${suspensionId}`);
        caughtUp = true;
      },
    },
    intentRows: {
      collect: async (intentId) => {
        touched.push(`rows that ${intentId} left`);
        caughtUp = true;
      },
      collectDue: (intentId) => void touched.push(`later: rows that ${intentId} left`),
    },
  });
  const respond = (value = 'yes', key?: string, suspension_id = SUSPENSION_ID) =>
    answers.respond(ALICE, INTENT_ID, { suspension_id, value }, key);
  return { clock, calls, touched, answers, respond };
}
