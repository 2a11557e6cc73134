import assert from 'node:assert/strict';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { createCreationOf } from '../../../../api/parts/calls/once.js';
import { createCoordinator } from '../../../../api/usecases/coordinator/coordinators.js';
import { createIntent } from '../../../../api/usecases/intent/create.js';
import { createPlan } from '../../../../api/usecases/plan/plans.js';
import { createPortfolio } from '../../../../api/usecases/portfolio/portfolios.js';
import { createTask } from '../../../../api/usecases/task/tasks.js';
import type { Call } from '../../../../api/usecases/usecase.js';
import { createCoordinatorRequestSchema } from '../../../../contracts/coordinator/coordinator.js';
import { createIntentRequestSchema } from '../../../../contracts/intent/intent.js';
import { createPlanRequestSchema } from '../../../../contracts/plan/plan.js';
import { createTaskRequestSchema } from '../../../../contracts/plan/task.js';
import { createPortfolioRequestSchema } from '../../../../contracts/portfolio/portfolio.js';
import type { IdSecrets } from '../../../../contracts/server/config.js';
import { fakeParts } from '../../support/parts.js';
import {
  INTENT_ID,
  ManualClock,
  callerOf,
  hanging,
  intentOf,
  refusalFrom,
  updateRefused,
  type FakeCall,
} from '../../support/fakes.js';

const AGENT = callerOf('agent-1', 'agent');
const SECOND_MS = 1_000;
/** Longer than anybody waits for a workflow that does not answer. */
const PATIENCE_MS = 20_000;

type Made = { readonly creation_hash?: string } & Readonly<Record<string, unknown>>;

/** The entity that a workflow was started with. */
function entityOf({ intent, portfolio, plan, task, coordinator }: Made): { readonly id: string } {
  return (intent ?? portfolio ?? plan ?? task ?? coordinator) as { readonly id: string };
}

/** Creation of each kind, over one Temporal in which the first of each is found again. */
class Bench {
  readonly clock = new ManualClock();
  private readonly made = new Map<string, Made>();
  /** What the store holds, by entity id. */
  private readonly stored = new Map<string, Made>();
  storeIsAway = false;
  /** What ids are made with. */
  secrets: IdSecrets = ['the first secret'];
  starts = 0;
  private parent: 'active' | 'completed' = 'active';
  lost: 'gone' | 'no_answer' | undefined;
  private readonly call: Call;

  constructor() {
    const rowsOf = (ids: readonly string[]) =>
      ids.flatMap((id): never[] => {
        const row = this.stored.get(id);
        return row ? [entityOf(row) as never] : [];
      });
    const found = async (id: string) => rowsOf([id])[0];
    const { parts } = fakeParts({
      clock: this.clock,
      temporal: {
        start: ({ args: [options], workflowId }) => {
          const [input] = (options as { readonly args: readonly Made[] }).args;
          if (this.put(workflowId, input as Made) === 'started') return;
          throw new WorkflowExecutionAlreadyStartedError('There is one.', workflowId, 'any');
        },
        update: ({ args: [input] }) => this.addChild(input as Made),
        query: (call) => this.answer(call),
      },
      store: {
        findCreation: async (_table, id) => this.creationOf(id),
        findIntent: found,
        findPortfolio: found,
        findCoordinator: found,
        findPlans: async (ids) => rowsOf(ids),
        findTasks: async (ids) => rowsOf(ids).map((task) => ({ task, revision: 1 })),
      },
    });
    const creationOf: typeof parts.creationOf = (...asked) =>
      createCreationOf(this.secrets)(...asked);
    this.call = { caller: AGENT, parts: { ...parts, creationOf } };
  }

  private addChild(input: Made): 'started' | 'exists' {
    if (this.parent === 'active') return this.put(`intent-${entityOf(input).id}`, input);
    throw updateRefused({ code: 'intent_closed', detail: 'The parent is closed.' });
  }

  private put(workflowId: string, input: Made): 'started' | 'exists' {
    if (this.made.has(workflowId)) return 'exists';
    this.made.set(workflowId, input);
    this.starts += 1;
    return 'started';
  }

  private creationOf(id: string): { creation_hash: string | null } | undefined {
    if (this.storeIsAway) throw new Error('the store is away');
    const row = this.stored.get(id);
    return row && { creation_hash: row.creation_hash ?? null };
  }

  /** The journal writes everything, and Temporal's retention passes. */
  outlive(): void {
    for (const made of this.made.values()) this.stored.set(entityOf(made).id, made);
    this.made.clear();
  }

  private answer(call: FakeCall): unknown {
    const { workflowId, name } = call;
    if (workflowId === `intent-${INTENT_ID}`) {
      return { intent: intentOf({ status: this.parent }), last_sequence: 1 };
    }
    if (this.lost === 'no_answer') return hanging(call);
    const made = this.lost === 'gone' ? undefined : this.made.get(workflowId);
    if (made === undefined) throw new WorkflowNotFoundError('None.', workflowId, undefined);
    return name === 'task' || name === 'coordinator' ? made[name] : made;
  }

  /** What stood in the way of no first request refuses each further one. */
  async turn(): Promise<void> {
    this.parent = 'completed';
    await this.clock.advance(2 * SECOND_MS);
  }

  readonly create = {
    'a child': (key?: string, title = 'x') => {
      const body = createIntentRequestSchema.parse({ title, parent_intent_id: INTENT_ID });
      return createIntent.run(this.call, body, key);
    },
    'a portfolio': (key?: string, name = 'x') => {
      const deadline = '2026-01-01T00:00:01.000Z';
      const body = createPortfolioRequestSchema.parse({ name, governance_policy: { deadline } });
      return createPortfolio.run(this.call, body, key);
    },
    'a plan': (key?: string, name = 'x') => {
      const body = createPlanRequestSchema.parse({ intent_id: INTENT_ID, tasks: [{ name }] });
      return createPlan.run(this.call, body, key);
    },
    'a task': (key?: string, name = 'x') => {
      const body = createTaskRequestSchema.parse({ intent_id: INTENT_ID, name });
      return createTask.run(this.call, body, key);
    },
    'a coordinator': (key?: string, role = 'x') => {
      const expires_at = '2026-01-01T00:00:01.000Z';
      const sent = { intent_id: INTENT_ID, role, expires_at };
      const body = createCoordinatorRequestSchema.parse(sent);
      return createCoordinator.run(this.call, body, key);
    },
  };
}

const REFUSALS = [
  ['a child', 'intent_closed'],
  ['a portfolio', 'deadline_in_past'],
  ['a plan', 'intent_closed'],
  ['a task', 'intent_closed'],
  ['a coordinator', 'deadline_in_past'],
] as const;

describe('a creation that is sent again under its key', () => {
  for (const [what, code] of REFUSALS) {
    it(`gives ${what} again that would be refused by now`, async () => {
      const bench = new Bench();
      const create = bench.create[what];
      const { id } = await create('key-1');
      await bench.turn();
      assert.equal((await create('key-1')).id, id);
      const other = await refusalFrom(create('key-1', 'another'));
      assert.equal(other.code, 'idempotency_key_reused');
      assert.equal((await refusalFrom(create('key-2'))).code, code);
      assert.equal((await refusalFrom(create())).code, code);
    });

    it(`is refused where nobody can tell of ${what} whether it is there`, async () => {
      const bench = new Bench();
      const create = bench.create[what];
      await create('key-1');
      await bench.turn();
      bench.lost = 'no_answer';
      const refused = refusalFrom(create('key-1'));
      await bench.clock.advance(PATIENCE_MS);
      assert.equal((await refused).code, 'workflow_unavailable');
      assert.equal((await refusalFrom(create())).code, code, 'without a key nobody is asked');
      bench.lost = 'gone';
      assert.equal((await refusalFrom(create('key-1'))).code, code);
    });

    it(`gives ${what} from the store once Temporal has forgotten it`, async () => {
      const bench = new Bench();
      const create = bench.create[what];
      const { id } = await create('key-1');
      bench.outlive();
      assert.equal((await create('key-1')).id, id);
      const other = await refusalFrom(create('key-1', 'another'));
      assert.equal(other.code, 'idempotency_key_reused');
      assert.equal(bench.starts, 1);
    });

    it(`finds ${what} that was made under a retired secret, and makes no other`, async () => {
      const bench = new Bench();
      const create = bench.create[what];
      const { id } = await create('key-1');
      bench.secrets = ['the second secret', 'the first secret'];
      assert.equal((await create('key-1')).id, id, 'Temporal knows it');
      bench.outlive();
      assert.equal((await create('key-1')).id, id, 'the store knows it');
      const other = await refusalFrom(create('key-1', 'another'));
      assert.equal(other.code, 'idempotency_key_reused');
      assert.equal(bench.starts, 1);
      bench.secrets = ['the second secret'];
      assert.notEqual((await create('key-1')).id, id);
    });

    it(`starts nothing of ${what} while the store cannot say whether it is known`, async () => {
      const bench = new Bench();
      const create = bench.create[what];
      bench.storeIsAway = true;
      assert.equal((await refusalFrom(create('key-1'))).code, 'store_unavailable');
      assert.equal(bench.starts, 0);
      bench.storeIsAway = false;
      const { id } = await create('key-1');
      bench.storeIsAway = true;
      assert.equal((await create('key-1')).id, id, 'Temporal still knows it');
      assert.notEqual((await create()).id, id, 'without a key nothing is looked up');
    });
  }
});
