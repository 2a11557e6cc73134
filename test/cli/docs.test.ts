import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import { SHELL_COMMANDS } from '../../cli/summaries.js';
import { withShell } from './support.js';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');
const COMMANDS = Object.keys(SHELL_COMMANDS);

describe('the page of the command line', () => {
  it('explains each code that a command ends with', () => {
    const explained = [...PAGE.matchAll(/^\| (\d+) +\| \S/gm)].map(([, code]) => Number(code));
    assert.deepEqual(explained, Object.values(EXIT));
  });

  it('shows each command', () => {
    const missing = COMMANDS.filter(
      (name) => name !== 'mcp' && !new RegExp(`(holdpoint |\`)${name}\\b`).test(PAGE),
    );
    assert.deepEqual(missing, []);
  });
});

describe('the help of a command', () => {
  for (const name of COMMANDS) {
    it(`lists what it takes: ${name}`, () =>
      withShell({}, async (shell) => {
        const { code, out, err } = await shell.bare([name, '--help']);
        assert.deepEqual([code, err], [EXIT.done, '']);
        assert.match(out, new RegExp(`^Usage: holdpoint ${name} `));
      }));
  }
});
