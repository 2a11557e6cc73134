import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from '@langchain/langgraph';
import { gate, type ParkedTurn } from 'holdpoint-client/langchain';
import { AIMessage, createAgent, createMiddleware, fakeModel, type BaseMessage } from 'langchain';
import type { AdapterUnderTest, Script } from '../adapter.js';
import { approvals, checkpointer, resultsIn, results as readLast, wire } from './agent.js';
import { fileOf } from './checkpointer.js';
import { payer } from './helper.js';
import { go } from './page.js';

/** What the model has read in the whole run. The process that ends it need not ask the model. */
let results: readonly string[] = [];

/** `go` and `payer` are what the page shows to users. */
export const adapter: AdapterUnderTest = {
  begin: (script) => ({ messages: JSON.stringify(script) }),
  async go(run, turn) {
    const end = await go(run, turn);
    const saved = await checkpointer.getTuple({ configurable: { thread_id: run } });
    results = resultsIn(saved?.checkpoint.channel_values['messages'] as BaseMessage[]);
    return end;
  },
  results: () => results,
  /** Changes what the checkpointer keeps, too. */
  tampered(turn, amount, all) {
    const { calls, keys } = turn as ParkedTurn;
    const changed = (text: string) => text.replaceAll(/(?<="amount\\*":)\d+/g, String(amount));
    const run = Object.values(calls)[0]?.arguments['to'];
    const file = fileOf(String(run));
    writeFileSync(file, changed(readFileSync(file, 'utf8')));
    return { calls: JSON.parse(changed(JSON.stringify(calls))), ...(!all && { keys }) };
  },
  async delegate(run, script) {
    const gated = gate(approvals, { run, tools: [wire] });
    const tools = [payer([createMiddleware(gated.middleware)])];
    const agent = createAgent({ model: delegating(script), tools, checkpointer });
    const thread = { configurable: { thread_id: run } };
    let result = await agent.invoke({ messages: 'Delegate it.' }, thread);
    for (let turn = await gated.park(result); turn; turn = await gated.park(result)) {
      for (const key of Object.values(turn.keys ?? {})) await approvals.redeemOnceDecided(key);
      result = await agent.invoke(new Command({ resume: await gated.resume(turn) }), thread);
    }
    results = readLast;
    return result.messages.at(-1)?.text;
  },
};

/** A model that gives the whole script to the other agent, and repeats its last words. */
function delegating(script: Script) {
  const args = { task: JSON.stringify(script) };
  return fakeModel()
    .respondWithTools([{ id: 'delegate-1', name: 'payer', args }])
    .respond((messages) => new AIMessage(messages.at(-1)?.text ?? ''));
}
