import { Agent, RunState, run as runAgent } from '@openai/agents';
import { ScriptedModel, assistantMessage, functionCall } from '@openai/agents/testing';
import { gate, type ParkedTurn } from 'holdpoint-client/openai-agents';
import { DONE, type AdapterUnderTest, type Script } from '../adapter.js';
import { approvals, model, results, wire } from './agent.js';
import { go } from './page.js';

/**
 * `go` is what the page shows to users. One case is other than in most frameworks: no id of a call comes again in a run, because
 * the SDK drops such a call; so the later call of that case has an id of its own, and people are asked about it. The unit tests
 * have an id that comes again in a later run over the same history.
 */
export const adapter: AdapterUnderTest = {
  begin: (script) => ({ input: JSON.stringify(script) }),
  go,
  results: () => results,
  tampered(turn, amount, all) {
    const { state, keys } = turn as ParkedTurn;
    const changed = state.replaceAll(/(?<="amount\\*":)\d+/g, String(amount));
    return { state: changed, ...(!all && { keys }) };
  },
  /** Each step goes on from the parked text alone, as another process would. */
  async delegate(run, script) {
    let turn: unknown = { input: 'Delegate it.' };
    for (;;) {
      const gated = gate(approvals, { run, tools: [wire] });
      const payer = new Agent({ name: 'Payer', model, tools: gated.tools });
      const pay = payer.asTool({ toolName: 'pay', toolDescription: 'Pays.' });
      const agent = new Agent({ name: 'Boss', model: delegating(script, turn), tools: [pay] });
      const restore = (state: string) => RunState.fromString(agent, state);
      const result = await runAgent(agent, await gated.resume(turn, restore));
      const parked = await gated.park(result);
      if (parked === undefined) return result.finalOutput;
      for (const key of Object.values(parked.keys ?? {})) await approvals.redeemOnceDecided(key);
      turn = parked;
    }
  },
};

/** A model that gives the whole script to the other agent, and is done then. */
function delegating(script: Script, turn: unknown): ScriptedModel {
  const call = functionCall('pay', { input: JSON.stringify(script) }, { callId: 'delegate-1' });
  const isFirst = 'input' in (turn as object);
  return new ScriptedModel([...(isFirst ? [[call]] : []), [assistantMessage(DONE)]]);
}
