import { readFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';
import { closePools } from '../support/server-pool.js';
import { companionBundle } from '../support/temporal-test-server.js';
import type { AgentWorker } from '../workflows/support/agent-worker.js';
import { Agents } from '../workflows/support/agents.js';
import { Gates } from '../workflows/support/gates.js';
import { AGENT_SCENES } from './agent-scenes.js';
import { AGENT_BUILDS, keepFrozen, type AgentBuild } from './frozen.js';
import { GATE_SCENES } from './gate-scenes.js';
import type { FrozenHistory } from './histories.js';

/*
 * `npm run freeze:agents`: the same as `npm run freeze` for what runs in the workflows of agents. It plays their scenes, and
 * keeps the histories with the bundles of those agents, into which today's `workflows/human` was built.
 */
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

/** Plays scenes, each on a server of its own, which a scene may leave unable to skip time; keeps what they leave. */
async function freeze<A extends AgentWorker>(
  build: AgentBuild,
  start: () => Promise<A>,
  scenes: Readonly<
    Record<string, (agents: A) => Promise<Readonly<Record<string, WorkflowHandle>>>>
  >,
): Promise<void> {
  const histories: FrozenHistory[] = [];
  for (const [scene, play] of Object.entries(scenes)) {
    const agents = await start();
    for (const [kept, handle] of Object.entries(await play(agents))) {
      const text = historyToJSON(await handle.fetchHistory());
      const content = JSON.parse(
        text.replaceAll(`${process.cwd()}/`, ''),
      ) as FrozenHistory['content'];
      histories.push({ version, name: kept, workflowId: handle.workflowId, content });
    }
    await agents.close();
    process.stdout.write(`${scene}\n`);
  }
  const { codePath } = await companionBundle(AGENT_BUILDS[build]);
  await keepFrozen(`${version}${build}`, await readFile(codePath, 'utf8'), histories);
}

await freeze('-agents', () => Agents.start({ on: 'skipping server' }), AGENT_SCENES);
await freeze('-gates', () => Gates.start({ on: 'skipping server' }), GATE_SCENES);
await closePools();
process.exit(0);
