import { cancelSuspension } from '../../../../api/usecases/suspension/withdraw.js';
import { suspend } from '../../../../api/usecases/suspension/suspend.js';
import {
  suspendRequestSchema,
  type CancelRequest,
} from '../../../../contracts/suspension/requests.js';
import {
  INTENT_ID,
  ManualClock,
  callerOf,
  intentOf,
  viewOf,
  type FakeCall,
  type FakeQueries,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const ASKER = callerOf('agent-1', 'agent');
const CONFIG = {
  suspension: { default_retry_policy: { max_attempts: 2, interval_seconds: 60 } },
  notifications: {
    default_channel: 'mail',
    channels: { mail: { type: 'console' }, desk: { type: 'console' } },
  },
};

/** An intent and its question, which an agent asks and withdraws; workflows reply to Updates as `update` says. */
export function askingBench(
  update: (call: FakeCall) => unknown,
  intent = intentOf(),
  view = viewOf(),
  store: FakeQueries = {},
  space?: string,
) {
  const clock = new ManualClock();
  const query = ({ name }: FakeCall) => (name === 'intent' ? { intent, last_sequence: 4 } : view);
  const { parts: faked, calls } = fakeParts({
    clock,
    config: CONFIG,
    temporal: { update, query, describe: () => ({ raw: {} }) },
    store,
    ...(space !== undefined && { space }),
  });
  const touched: string[] = [];
  const spies = {
    consistency: { touch: (intentId: string) => touched.push(intentId) },
    settlements: { touch: (id: string, state: string) => touched.push(`${id} ${state}`) },
    writtenApprovals: { touch: () => undefined },
    questionRows: { writeLast: async (id: string) => void touched.push(`rows of ${id}`) },
    intentRows: {
      stored: () => ({}),
      writeLeft: async (intentId: string, rows: readonly unknown[]) =>
        void touched.push(`${rows.length} rows of ${intentId}`),
      collect: async (intentId: string) => void touched.push(`rows that ${intentId} left`),
      collectDue: (intentId: string) => void touched.push(`later: rows that ${intentId} left`),
    },
  };
  const parts = { ...faked, ...(spies as object) };
  const ask = (body: object) =>
    suspend.run({ caller: ASKER, parts }, INTENT_ID, suspendRequestSchema.parse(body));
  const cancel = (body: CancelRequest = {}, caller = ASKER) =>
    cancelSuspension.run({ caller, parts }, INTENT_ID, body);
  const sent = () => calls.filter(({ updateId }) => updateId !== undefined);
  const described = () => calls.filter(({ name }) => name === 'describe');
  const read = () => calls.length - sent().length;
  return { clock, touched, suspend: ask, cancel, sent, described, read };
}
