import assert from 'node:assert/strict';
import { createCreationOf } from '../../../../api/gateway/calls/once.js';
import { serverConfigSchema } from '../../../../contracts/config.js';
import type { CreationOf } from '../../../../api/gateway/calls/once.js';
import type { Outcome } from '../../../../api/gateway/calls/call.js';
import { createCreation } from '../../../../api/gateway/intent/creation.js';
import type { IntentWriter } from '../../../../api/gateway/intent/writes.js';
import { createPlans, createStartPlan } from '../../../../api/gateway/plan/plans.js';
import type { PlanReads } from '../../../../api/gateway/plan/reads.js';
import { createPortfolioCreation } from '../../../../api/gateway/portfolio/creation.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import { notFound, refused } from '../../../../api/gateway/refusals.js';
import type { Gateway } from '../../../../api/gateway/index.js';
import { createIntentRequestSchema } from '../../../../contracts/intent.js';
import { createPlanRequestSchema } from '../../../../contracts/plan.js';
import { createPortfolioRequestSchema } from '../../../../contracts/portfolio.js';
import type { IdSecrets } from '../../../../contracts/config.js';
import {
  INTENT_ID,
  ManualClock,
  callerOf,
  fakeStore,
  intentOf,
  refusalFrom,
  silent,
} from '../support.js';

const AGENT = callerOf('agent-1', 'agent');
const SECOND_MS = 1_000;

type Made = { readonly creation_hash?: string } & Readonly<Record<string, unknown>>;

/** The entity that a workflow was started with. */
function entityOf({ intent, portfolio, plan }: Made): Readonly<Record<string, unknown>> {
  return (intent ?? portfolio ?? plan) as Readonly<Record<string, unknown>>;
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
  private readonly intents: Pick<Gateway, 'createIntent'>;
  private readonly portfolios: Pick<Gateway, 'createPortfolio'>;
  private readonly plans: Pick<Gateway, 'createPlan'>;

  constructor() {
    const start = async (_type: string, opening: { workflowId: string; input: object }) =>
      this.put(opening.workflowId, opening.input);
    const write = (async (_id: string, _update: unknown, input: { intent: { id: string } }) => {
      if (this.parent !== 'active') throw refused('intent_closed', 'The parent is closed.');
      return this.put(`intent-${input.intent.id}`, input);
    }) as unknown as IntentWriter;
    const query = async (workflowId: string) => this.find(workflowId) as Outcome<never>;
    const read = async (id: string) => {
      const row = this.stored.get(id);
      if (row === undefined) throw notFound('intent');
      return { value: entityOf(row) as never, stale: false };
    };
    const getIntent = async (id: string) =>
      id === INTENT_ID ? { value: intentOf({ status: this.parent }), stale: false } : read(id);
    const fromStore = createFromStore(
      fakeStore({ findCreation: async (_table, id) => this.creationOf(id) }),
      this.clock,
      silent,
    );
    const consistency = { touch: () => undefined, hold: () => Promise.resolve() };
    const update = () => Promise.reject(new Error('nothing is sent'));
    const temporal = { start, update, query };
    const deps = {
      temporal,
      clock: this.clock,
      reads: { getIntent },
      readNamed: (_caller: unknown, id: string) => getIntent(id),
      getPortfolio: read,
      consistency,
      fromStore,
      creationOf: (...asked: Parameters<CreationOf>) => createCreationOf(this.secrets)(...asked),
      intentRows: { collectLater: () => undefined },
    };
    const planReads = {
      plans: consistency,
      tasks: consistency,
      methods: { getPlan: read },
    } as unknown as PlanReads;
    const access = { demandAccessTo: () => Promise.resolve() };
    const ownReach = { demandOwn: () => Promise.resolve() };
    const knowing = { config: serverConfigSchema.parse({}), people: () => undefined };
    const planDeps = { ...deps, ...knowing, planReads, access, ownReach };
    this.intents = createCreation({ ...deps, write });
    this.portfolios = createPortfolioCreation(deps);
    this.plans = createPlans(planDeps, createStartPlan(planDeps));
  }

  private put(workflowId: string, input: object): 'started' | 'exists' {
    if (this.made.has(workflowId)) return 'exists';
    this.made.set(workflowId, input as Made);
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
    for (const made of this.made.values()) this.stored.set(String(entityOf(made)['id']), made);
    this.made.clear();
  }

  private find(workflowId: string): Outcome<Made> {
    const value = this.made.get(workflowId);
    if (this.lost) return { kind: this.lost };
    return value ? { kind: 'done', value } : { kind: 'gone' };
  }

  /** What stood in the way of no first request refuses each further one. */
  async turn(): Promise<void> {
    this.parent = 'completed';
    await this.clock.advance(2 * SECOND_MS);
  }

  readonly create = {
    'a child': (key?: string, title = 'x') => {
      const body = createIntentRequestSchema.parse({ title, parent_intent_id: INTENT_ID });
      return this.intents.createIntent(AGENT, body, key);
    },
    'a portfolio': (key?: string, name = 'x') => {
      const deadline = '2026-01-01T00:00:01.000Z';
      const body = createPortfolioRequestSchema.parse({ name, governance_policy: { deadline } });
      return this.portfolios.createPortfolio(AGENT, body, key);
    },
    'a plan': (key?: string, name = 'x') => {
      const body = createPlanRequestSchema.parse({ intent_id: INTENT_ID, tasks: [{ name }] });
      return this.plans.createPlan(AGENT, body, key);
    },
  };
}

const REFUSALS = [
  ['a child', 'intent_closed'],
  ['a portfolio', 'deadline_in_past'],
  ['a plan', 'intent_closed'],
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
      assert.equal((await refusalFrom(create('key-1'))).code, 'workflow_unavailable');
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
