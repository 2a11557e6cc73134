import path from 'node:path';
import { runMain, say } from '../runtime/program.js';
import { buildInbox } from './build-web.js';

/** `npm run build:web`: builds the inbox of the checkout that is the working folder into `dist/web`. */
await runMain(async () => {
  const root = process.cwd();
  await buildInbox({ root, env: process.env, log: say });
  say(`The inbox is built in ${path.join(root, 'dist/web')}`);
});
