import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { closePools } from '../support/server-pool.js';
import { World } from '../workflows/support/world.js';
import { HISTORIES } from './histories.js';
import { SCENES, UNCACHED } from './scenes.js';

/**
 * `npm run record-histories [-- --again [scene ...]]`: plays the scenes, or those that are named, and keeps the
 * histories of this version's workflows. What is released is not recorded again: only new scenes are, unless
 * `--again` says that this version is not out yet.
 */
const again = process.argv.includes('--again');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const folder = new URL(`${version}/`, HISTORIES);
await mkdir(folder, { recursive: true });

for (const [scene, play] of Object.entries(SCENES)) {
  if (wanted.length > 0 && !wanted.includes(scene)) continue;
  const world = await World.start({
    on: 'skipping server',
    ...(UNCACHED.has(scene) && { maxCachedWorkflows: 0 }),
  });
  for (const [name, handle] of Object.entries(await play(world))) {
    const file = new URL(`${name}.json`, folder);
    if (existsSync(file) && !again) continue;
    const text = historyToJSON(await handle.fetchHistory());
    // A failure carries a stack trace, with the folder of this machine.
    const content = JSON.parse(text.replaceAll(`${process.cwd()}/`, '')) as unknown;
    const { workflowId } = handle;
    await writeFile(file, `${JSON.stringify({ workflowId, content })}\n`);
    process.stdout.write(`${version}/${name}.json\n`);
  }
  await world.close();
  process.stdout.write(`${scene} played\n`);
}
await closePools();
process.exit(0);
