import { HoldpointError } from 'holdpoint-client';
import type { AdapterUnderTest, Script } from './adapter.js';
import { approvals, say } from './world.js';

/*
 * The process of an agent: it does one task in one framework, and says how it ends. Variables: FRAMEWORK, TASK, and those of
 * `world.ts`.
 */

/** `go` and `delegate` end by themselves; `watch` goes on with all decided runs, `look` only with those that there are now. */
export type Task =
  | { readonly do: 'begin'; readonly run: string; readonly script: Script; readonly watch?: true }
  | { readonly do: 'go'; readonly run: string; readonly turn: object }
  | {
      readonly do: 'tamper';
      readonly run: string;
      readonly turn: object;
      readonly amount: number;
      readonly all: boolean;
    }
  | { readonly do: 'delegate'; readonly run: string; readonly script: Script }
  | { readonly do: 'watch' }
  | { readonly do: 'look' };

const { FRAMEWORK = '', TASK = '{}' } = process.env;
const { adapter } = (await import(`./${FRAMEWORK}/adapter.js`)) as { adapter: AdapterUnderTest };
const task = JSON.parse(TASK) as Task;

async function go(run: string, turn: unknown): Promise<void> {
  const end = await adapter.go(run, turn);
  if (typeof end === 'string') say('done', { run, end, results: adapter.results() });
  else say('parked', { run, end });
}

let wentOn = 0;

/** Goes on with a decided run. What a process of another framework has left behind is no run of this one. */
async function goOn({ run, state }: { readonly run: string; readonly state: unknown }) {
  if (run.replace(/-\d+$/, '') !== FRAMEWORK) return;
  wentOn += 1;
  await go(run, state);
}

function sayRefused(error: unknown): void {
  if (error instanceof HoldpointError) say('refused', [error.name, error.code]);
  else say('crashed', error instanceof Error ? error.stack : String(error));
}

function watch(): void {
  approvals.onDecided(goOn, {
    everySeconds: 0.1,
    onError: sayRefused,
  });
}

async function perform(): Promise<void> {
  switch (task.do) {
    case 'begin':
      await go(task.run, adapter.begin(task.script));
      if (task.watch) return watch();
      break;
    case 'go':
      await go(task.run, task.turn);
      break;
    case 'tamper':
      await go(task.run, await adapter.tampered(task.turn, task.amount, task.all));
      break;
    case 'delegate': {
      const end = await adapter.delegate(task.run, task.script);
      say('done', { run: task.run, end, results: adapter.results() });
      break;
    }
    case 'look':
      await approvals.deliverDecided(goOn);
      say('looked', wentOn);
      break;
    case 'watch':
      return watch();
  }
  process.exit(0);
}

await perform().catch((error: unknown) => {
  sayRefused(error);
  process.exit(1);
});
