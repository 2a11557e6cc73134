import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Intent } from '../../../contracts/intent/intent.js';
import { RULES, rowOf, type Action } from '../../../domain/policy/rules.js';
import { rigOver } from '../support/harness.js';
import { INTENT as RECORD, INTENT_ID, VIEW } from '../support/records.js';
import { knowingIntent } from '../support/parts.js';
import { everyAttempt } from './requests.js';

/*
 * Every operation that needs a permission of an access list is tried by an agent whom the list keeps out. Where the
 * API judges that, it refuses. Elsewhere the workflow that has the state judges, and `test/workflows/` tries it, in
 * the file that is named. An operation that nobody judges fails.
 */

const INTENT = 'test/workflows/intent/access.test.ts';
const TASK = 'test/workflows/task/access.test.ts';
const PLAN = 'test/workflows/plan/access.test.ts';

/** What is judged where the state is. */
const ELSEWHERE: Readonly<Partial<Record<Action, string>>> = {
  acquireLease: INTENT,
  addDependency: INTENT,
  appendEvent: INTENT,
  assignAgent: INTENT,
  claimTask: TASK,
  createIntent: INTENT,
  engage: INTENT,
  // Of all intents; the store leaves out those that the list closes.
  listEscalations: 'test/store/access.test.ts',
  logCoordinatorDecision: INTENT,
  patchPlan: PLAN,
  patchState: INTENT,
  patchStateOrAsk: INTENT,
  patchTask: TASK,
  recordIntentDecision: INTENT,
  removeDependency: INTENT,
  requestArbitration: INTENT,
  requestEscalation: INTENT,
  setStatus: INTENT,
  suspend: INTENT,
  unassignAgent: INTENT,
};

function isDecidedByLists(action: Action): boolean {
  const row = rowOf(action);
  return [row, ...Object.values(row.cases ?? {})].some(({ needs }) => needs !== undefined);
}

/** Somebody else has asked, so that the list decides who reads the question. */
const view = () => Promise.resolve({ value: { ...VIEW, asked_by: 'somebody' }, stale: false });
/** An intent of somebody else, whose list lets nobody in. */
const intent: Intent = {
  ...RECORD,
  owner: 'somebody',
  access: { default_policy: 'closed', entries: [] },
};
const FAKES = {
  answers: knowingIntent(intent),
  store: { asksOpenQuestion: async () => false },
};

describe('every operation that an access list decides', () => {
  it('is judged by the API, or where the state is', async () => {
    const tried = new Map<Action, number[]>();
    const rig = rigOver(FAKES, { getSuspension: view });
    for (const { binding, path, body } of everyAttempt()) {
      const { name } = binding.operation;
      if (!isDecidedByLists(name)) continue;
      const method = path.endsWith('/subscribe') ? 'get' : binding.method;
      const sending = rig.send('agent', method, path).set('If-Match', '3');
      // An approval may belong to no intent, and then no list decides.
      const sent = name === 'openApproval' ? { ...(body as object), intent_id: INTENT_ID } : body;
      const { status } = await (sent === undefined ? sending : sending.send(sent as object));
      tried.set(name, [...(tried.get(name) ?? []), status]);
    }
    const passed = [...tried].filter(([, statuses]) => statuses.some((status) => status !== 403));
    assert.deepEqual(passed.map(([name]) => name).sort(), Object.keys(ELSEWHERE).sort());
    const decided = (Object.keys(RULES) as Action[]).filter(isDecidedByLists);
    assert.deepEqual(decided.sort(), [...tried.keys()].sort());
  });
});
