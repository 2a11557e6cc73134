/** Supervises one process, which holds a connection to the given port. */
import { launchNode } from '../../../service/node-process.js';
import { Supervisor } from '../../../service/supervisor.js';

const supervisor = new Supervisor<'child'>({ log: (line) => console.log(line) });
supervisor.add('child', () =>
  launchNode({
    script: new URL('./connects.ts', import.meta.url),
    args: process.argv.slice(2),
    env: process.env,
    onLine: (line) => console.log(line),
  }),
);
await supervisor.start('child');
