import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { tool, type Options } from '@anthropic-ai/claude-agent-sdk';
import { approvedCall } from 'holdpoint-client/claude';
import { z } from 'zod';
import { transfer } from './bank.js';
import { startModel } from './model.js';

/* The parts of an agent that the page leaves to its readers: settings of Claude Code, and a tool. */

export { approvals } from '../world.js';

/** All processes have the same home, where Claude Code keeps their sessions. */
export const HOME = path.join(import.meta.dirname, 'home');
mkdirSync(HOME, { recursive: true });

export const wire = tool(
  'wire',
  'Wires money.',
  { to: z.string(), amount: z.number().positive() },
  async (input, extra) => {
    const receipt = await transfer(input, approvedCall(extra).idempotency_key);
    return { content: [{ type: 'text', text: JSON.stringify(receipt) }] };
  },
);

/** Claude Code as it is, with the model of this process, and without any other address. */
export const settings: Options = {
  model: 'claude-sonnet-5',
  cwd: HOME,
  settingSources: [],
  allowedTools: ['Agent'],
  env: {
    PATH: process.env['PATH'],
    HOME,
    ANTHROPIC_BASE_URL: await startModel(),
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  },
};
