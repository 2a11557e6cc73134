import { Connection, WorkflowClient } from '@temporalio/client';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { WORKFLOW_TYPES } from '../../contracts/constants/names.js';
import type { Stack } from '../../service/stack.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { replayAll, type NamedHistory } from '../workflows/support/histories.js';
import { ChaosAgents } from './chaos-agents.js';
import { callerFor } from './chaos-calls.js';
import {
  askAndAnswer,
  faultsOf,
  shownAsOpen,
  type Asked,
  type Random,
  type Sides,
} from './chaos-questions.js';
import { FaultStack } from './fault-stack.js';

const CLIENTS = 8;
const SECONDS = Number(process.env['HOLDPOINT_CHAOS_SECONDS'] ?? 200);
const SEED = Number(process.env['HOLDPOINT_CHAOS_SEED'] ?? Date.now() % 1_000_000);
/** Where Holdpoint keeps its store: by itself, or in a PostgreSQL server. */
const STORE = process.env['HOLDPOINT_CHAOS_STORE'] ?? 'embedded';
/** The worker most often: what it forgets must come back. */
const VICTIMS = ['worker', 'worker', 'worker', 'api', 'store', 'temporal', 'agents'] as const;

/** Processes are killed at random while questions are asked, answered near their end, and left to expire. */
describe(`${SECONDS} s of random kills, ${STORE} store`, function () {
  this.timeout((SECONDS + 900) * 1_000);
  let world: FaultStack;
  let postgres: PostgresServer | undefined;
  let sides: Sides;
  const asked: Asked[] = [];
  before(async () => {
    assert.ok(['embedded', 'postgres'].includes(STORE), 'HOLDPOINT_CHAOS_STORE');
    if (STORE === 'postgres') postgres = await startPostgres();
    world = await FaultStack.start('', postgres && { DATABASE_URL: postgres.url });
    const { apiUrl, keys } = world.stack;
    const keyOf = (role: 'agent' | 'operator') =>
      keys.find(({ roles }) => roles.includes(role))?.key ?? assert.fail(role);
    const [agent, operator] = [keyOf('agent'), keyOf('operator')];
    const workflows = await ChaosAgents.start(world.stack.temporalAddress);
    sides = { agent: callerFor(apiUrl, agent), operator: callerFor(apiUrl, operator), workflows };
  });
  after(async () => {
    await sides.workflows.close();
    await world.close();
    await postgres?.stop();
  });

  it('goes on, whatever dies', async () => {
    process.stdout.write(`    seed ${SEED}\n`);
    const until = performance.now() + SECONDS * 1_000;
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      const random = randomFrom(SEED + index + 1);
      while (performance.now() < until) asked.push(await askAndAnswer(sides, random));
    });
    const kills = await killUntil(
      { stack: world.stack, agents: sides.workflows, postgres },
      until,
      randomFrom(SEED),
    );
    await Promise.all(clients);
    await world.stack.untilReady();
    process.stdout.write(`    ${asked.length} questions, killed: ${kills.join(' ')}\n`);
    assert.ok(asked.length > CLIENTS && kills.length > 0);
  });

  it('loses and doubles no answer, and every chain verifies', async () => {
    const faults: string[] = [];
    const left = [...asked];
    const looks = Array.from({ length: CLIENTS }, async () => {
      for (let one = left.pop(); one; one = left.pop())
        faults.push(...(await faultsOf(one, sides)));
    });
    await Promise.all(looks);
    assert.deepEqual(faults, []);
  });

  it('leaves no settled question in the inbox', async () => {
    assert.deepEqual(await shownAsOpen(asked, sides), []);
  });

  it('leaves histories that replay with equal content', async () => {
    const connection = await Connection.connect({ address: world.stack.temporalAddress });
    try {
      const histories = await historiesOf(new WorkflowClient({ connection }));
      const ofIntents = asked.filter(({ intentId }) => intentId !== undefined);
      assert.ok(histories.length >= asked.length + ofIntents.length);
      assert.ok(asked.some(({ workflowId }) => workflowId !== undefined));
      const replayed = await replayAll(histories);
      const failures = [...replayed].filter(([, error]) => error !== undefined);
      assert.deepEqual(failures, []);
    } finally {
      await connection.close();
    }
  });
});

interface Killable {
  readonly stack: Stack;
  readonly agents: ChaosAgents;
  readonly postgres: PostgresServer | undefined;
}

/** Kills a process every few seconds; returns which. */
async function killUntil(
  { stack, agents, postgres }: Killable,
  until: number,
  random: Random,
): Promise<readonly string[]> {
  const kills: string[] = [];
  while (performance.now() < until) {
    await pause(1_000 + random() * 4_000);
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'worker';
    if (victim === 'agents') {
      await agents.kill();
    } else if (victim === 'store' && postgres) {
      await postgres.kill();
      await postgres.restart();
    } else {
      await stack.kill(victim, 'SIGKILL');
      await stack.untilUp(victim);
    }
    kills.push(victim);
  }
  return kills;
}

/** The histories of all intents and suspensions. */
async function historiesOf(client: WorkflowClient): Promise<readonly NamedHistory[]> {
  const histories: NamedHistory[] = [];
  const { intent, suspension } = WORKFLOW_TYPES;
  const query = `WorkflowType IN ("${intent}", "${suspension}")`;
  for await (const { workflowId, runId } of client.list({ query })) {
    const history = await client.getHandle(workflowId, runId).fetchHistory();
    histories.push({ name: `${workflowId} ${runId}`, workflowId, history });
  }
  return histories;
}

/** Numbers of a linear congruential generator: repeatable, and random enough to choose by. */
function randomFrom(seed: number): Random {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
