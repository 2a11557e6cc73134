import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ParkedTurn } from 'holdpoint-client/claude';
import type { AdapterUnderTest } from '../adapter.js';
import { HOME } from './agent.js';
import { DELEGATE, results } from './model.js';
import { go } from './page.js';

/**
 * `go` is what the page shows to users. Two cases are other than in most frameworks. No id of a call comes again in a session: the
 * real API gives each its own, and Claude Code drops one of two calls with the same id; so the later call of that case has an id of
 * its own, and people are asked about it. And a sub-agent cannot stop: its call waits in the tool.
 */
export const adapter: AdapterUnderTest = {
  begin: (script) => ({ prompt: JSON.stringify(script) }),
  go,
  results: () => results,
  /** Changes the session that Claude Code keeps, too. */
  tampered(turn, amount, all) {
    const { keys, ...rest } = turn as ParkedTurn;
    const changed = (text: string) => text.replaceAll(/(?<="amount\\*":)\d+/g, String(amount));
    const file = sessionFile(rest.session);
    writeFileSync(file, changed(readFileSync(file, 'utf8')));
    return {
      ...JSON.parse(changed(JSON.stringify(rest))),
      ...(!all && { keys }),
    };
  },
  delegate: (run, script) => go(run, { prompt: DELEGATE + JSON.stringify(script) }),
};

function sessionFile(session: string): string {
  const folder = path.join(HOME, '.claude/projects');
  const files = readdirSync(folder, { recursive: true }) as string[];
  const file = files.find((name) => name.endsWith(`${session}.jsonl`));
  return path.join(folder, file ?? session);
}
