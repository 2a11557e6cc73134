import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { gate, type ParkedTurn } from 'holdpoint-client/mastra';
import type { AdapterUnderTest } from '../adapter.js';
import { agentWith, approvals, memory, storage, wire } from './agent.js';
import { delegating, results as readLast, textOf } from './model.js';
import { go } from './page.js';

/** What the memory has of a run that ended in another process. */
let recalled: readonly string[] = [];

/** `go` is what the page shows to users. */
export const adapter: AdapterUnderTest = {
  begin: (script) => ({ messages: JSON.stringify(script) }),
  /** Mastra forgets a run when it ends: if it is resumed again, its last words are those in the memory. */
  async go(run, turn) {
    const end = await go(run, turn);
    if (end !== undefined) return end;
    const { messages } = await memory.recall({ threadId: run });
    const parts = messages.flatMap(({ content }) => content.parts);
    const calls = parts.flatMap((part) =>
      part.type === 'tool-invocation' ? [part.toolInvocation] : [],
    );
    recalled = calls.map((call) => textOf('result' in call ? call.result : call));
    return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).at(-1);
  },
  results: () => (readLast.length > 0 ? readLast : recalled),
  /** Changes what Mastra keeps, too. */
  async tampered(turn, amount, all) {
    const { keys, ...rest } = turn as ParkedTurn;
    const changed = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll(/(?<="amount\\*":)\d+/g, String(amount)));
    const run = { workflowName: 'agentic-loop', runId: rest.runId };
    const workflows = await storage.getStore('workflows');
    const snapshot = await workflows?.loadWorkflowSnapshot(run);
    if (snapshot) await workflows?.persistWorkflowSnapshot({ ...run, snapshot: changed(snapshot) });
    return { ...changed(rest), ...(!all && { keys }) };
  },
  /** Each step has agents of its own, as another process would. */
  async delegate(run, script) {
    let turn: unknown = { messages: 'Delegate it.' };
    for (;;) {
      const gated = gate(approvals, { run, tools: { wire } });
      const payer = agentWith(gated.tools);
      const boss = new Agent({
        id: 'boss',
        name: 'Boss',
        instructions: 'You delegate.',
        model: delegating(script),
        agents: { payer },
      });
      new Mastra({ agents: { boss }, storage });
      const result = await gated.resume(turn, boss, (messages) =>
        boss.generate(messages, { runId: run }),
      );
      const parked = await gated.park(result);
      if (parked === undefined) return result?.text;
      for (const key of Object.values(parked.keys ?? {})) await approvals.redeemOnceDecided(key);
      turn = parked;
    }
  },
};
