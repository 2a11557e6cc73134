import { readFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { closePools } from '../support/server-pool.js';
import { companionBundle } from '../support/temporal-test-server.js';
import { Agents } from '../workflows/support/agents.js';
import { AGENT_SCENES } from './agent-scenes.js';
import { keepFrozen, OF_AGENTS } from './frozen.js';
import type { FrozenHistory } from './histories.js';

/*
 * `npm run freeze:agents -- <name>`: the same as `npm run freeze` for what runs in the workflows of agents. It plays their
 * scenes, and keeps the histories with the bundle of those agents, into which today's `requestInput` was built.
 */
const [name] = process.argv.slice(2);
if (!name) throw new Error('Name what is frozen, such as the version.');
const folder = `${name}${OF_AGENTS}`;
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const histories: FrozenHistory[] = [];
for (const [scene, play] of Object.entries(AGENT_SCENES)) {
  // A scene may leave its server unable to skip time.
  const agents = await Agents.start();
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
const { codePath } = await companionBundle('agent-workflows');
await keepFrozen(folder, await readFile(codePath), histories);
await closePools();
process.exit(0);
