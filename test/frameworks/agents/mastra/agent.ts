import path from 'node:path';
import { Agent, type ToolsInput } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { approvedCall } from 'holdpoint-client/mastra';
import { z } from 'zod';
import { transfer } from './bank.js';
import { model } from './model.js';

/* The parts of an agent that the page leaves to its readers: a storage, an agent and a tool. */

export { approvals } from '../world.js';

// Mastra reports to a server of its own which of its features are in use.
process.env['MASTRA_TELEMETRY_DISABLED'] = '1';

/** All processes have the same storage. */
export const storage = new LibSQLStore({
  id: 'store',
  url: `file:${path.join(import.meta.dirname, 'mastra.db')}`,
});
export const memory = new Memory({ storage });

export const wire = createTool({
  id: 'wire',
  description: 'Wires money.',
  inputSchema: z.object({ to: z.string(), amount: z.number().positive() }),
  execute: (input, context) => transfer(input, approvedCall(context).idempotency_key),
});

export function agentWith(tools: ToolsInput): Agent {
  const parts = { model, tools, memory };
  const payer = new Agent({ id: 'payer', name: 'Payer', instructions: 'You pay.', ...parts });
  new Mastra({ agents: { payer }, storage });
  return payer;
}
