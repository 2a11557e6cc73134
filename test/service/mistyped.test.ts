import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { choicesOf } from '../../examples/demo/choices.js';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** How a program of the checkout ends, and what it says. */
async function ended(program: string, args: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: '/nowhere' };
  const { out, ...rest } = await endOf([scriptOf(program), ...args], { cwd: ROOT, env });
  assert.equal(out, '');
  return rest;
}

describe('a mistyped command', () => {
  for (const [args, says] of [
    ['strat', 'Did you mean "start"?'],
    ['aprove 0b7a9c1e', 'Did you mean "approve"?'],
    ['xyz', 'It has login, inbox'],
    ['inbox --jsn', 'Did you mean --json?'],
    ['activate --wiat 3', 'Did you mean "--wait"?'],
    ['verify-log --hed x', 'Did you mean "--head"?'],
    ['reconcile --cancel-mising', 'Did you mean "--cancel-missing"?'],
    ['replay-check --mots 3', 'Did you mean "--most"?'],
    ['start now', 'takes no argument'],
  ] as const) {
    it(`ends with 2 and says what was probably meant: holdpoint ${args}`, async () => {
      const { code, err } = await ended('service/cli.ts', args.split(' '));
      assert.equal(code, 2, err);
      assert.ok(err.includes(says), err);
    });
  }

  it('ends the demo with 2, before anything is started', async () => {
    const { code, err } = await ended('examples/demo/demo.ts', ['approvls']);
    assert.deepEqual([code, err.includes('Did you mean "approvals"?')], [2, true], err);
  });

  for (const [args, says] of [
    ['--jsn', /There is no option --jsn\. Did you mean "--json"\?/],
    ['compliance --vairant all', /no option --vairant\. Did you mean "--variant"\?/],
    ['compliance --variant al', /no variant "al"; there are: .*Did you mean "all"\?/],
    ['complience', /no story "complience"; .*Did you mean "compliance"\?/],
    ['xyz', /no story "xyz"; there are: approvals, compliance\.$/],
  ] as const) {
    it(`of the demo says what was probably meant: ${args}`, () => {
      assert.throws(() => choicesOf(args.split(' ')), says);
    });
  }
});
