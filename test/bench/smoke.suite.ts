import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'mocha';

/** Each benchmark with its smallest load, and what it then says. None of its times is judged. */
const SMALLEST: Readonly<Record<string, { readonly args: string; readonly says: RegExp }>> = {
  bench: {
    args: '--only latency,history,inbox --rounds 1 --rows 200',
    says: /^\| .*\d/m,
  },
  cost: {
    args: '--rounds 2 --silent --paths standalone,hand',
    says: /^\| a question by hand .*\d/m,
  },
  fanout: { args: '20', says: /^20 observers: / },
  members: { args: '20', says: /^20 members: joined in / },
  engagement: { args: '20', says: /^by \w+: least \d+ ms/ },
  idle: { args: '--minutes 0.1 --settle 0', says: /^\d+ actions in 0\.1 minutes/m },
  lag: { args: '--clients 2 --intents 20 --answers 5', says: /\d ms/ },
  far: { args: '--clients 4 --questions 20', says: /\d ms/ },
  burst: { args: '--clients 4 --questions 20', says: /(opened \S+ and answered [\s\S]*){2}/ },
};
/** Also where the machine was too slow for its targets. */
const JUDGES_TIMES = ['burst', 'fanout'];

async function run(name: string, args: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [
    '--import',
    'tsx',
    `bench/${name}.ts`,
    ...args.split(' '),
  ]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

describe('a benchmark with its smallest load', () => {
  for (const [name, { args, says }] of Object.entries(SMALLEST)) {
    it(`measures: ${name}`, async () => {
      const { code, said } = await run(name, args);
      assert.match(said, says);
      assert.doesNotMatch(said, /^ +at /m, 'an error');
      assert.ok(code === 0 || (code === 1 && JUDGES_TIMES.includes(name)), `${code}: ${said}`);
    });
  }
});
