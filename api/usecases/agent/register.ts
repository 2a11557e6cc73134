import type { AgentRecord, RegisterAgent } from '../../../contracts/agent/agent.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { registerAgent as registered } from '../../../domain/openintent/agent.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { change } from './stored.js';

/** Registers an agent, a row of the store and no workflow (docs/adr/0025): no agent needs it to work. */
export const registerAgent = useCase({
  name: 'registerAgent',
  resource: 'agent',
  refusals: ['store_unavailable'],
  async run(call: Call, request: RegisterAgent): Promise<AgentRecord> {
    const at = toInstant(call.parts.clock.now());
    const rule = (before: AgentRecord | undefined) => registered(request, before, call.caller, at);
    return change(call, request.agent_id, rule);
  },
});
