import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import type { ServerConfig } from '../contracts/server/config.js';
import { judgeCallsRequestSchema } from '../contracts/approval/judging.js';
import type { JudgedCall } from '../contracts/approval/judging.js';
import { parseKnownFields } from '../contracts/kernel/unknown-fields.js';
import { planWithPeople } from '../domain/approval/asking/approver-people.js';
import { actsFor, initiatorPlan } from '../domain/approval/asking/initiator.js';
import { planOf } from '../domain/approval/asking/route.js';
import { judgeCall } from '../domain/approval/asking/rules.js';
import type { KnownPeople } from '../domain/directory/known-people.js';
import { tellingHere } from '../domain/directory/telling.js';
import { secretRefusal } from '../runtime/secrets.js';
import { refusal } from './inputs.js';
import { defined } from '../contracts/constants/defined.js';

/**
 * Judges the tool calls of a turn by the configured rules, in their order, and says whom to ask about those that are escalated.
 * A call that seems to contain a credential gets a refusal, and so does one for which nobody here can be the `decider`. The
 * history of the workflow keeps the result, so a later change of the rules changes nothing there. Throws a non-retryable
 * ApplicationFailure whose type is an error code for a request that is not in order.
 *
 * @param peopleOf - finds out who can answer; undefined if that is not known
 */
export async function judgeToolCalls(
  config: Pick<ServerConfig, 'approvals' | 'suspension' | 'directory' | 'notifications'>,
  request: unknown,
  peopleOf: () => Promise<KnownPeople | undefined> = () => Promise.resolve(undefined),
  space = DEFAULT_SPACE,
): Promise<readonly JudgedCall[]> {
  const { approvals, suspension } = config;
  const parsed = parseKnownFields(judgeCallsRequestSchema, request);
  if (!parsed.ok) throw refusal(parsed.refusal);
  const { agent, decider, calls } = parsed.value;
  const on_behalf_of = actsFor(parsed.value);
  const judged: JudgedCall[] = [];
  const people = await peopleOf();
  const telling = tellingHere(config, space, people);
  for (const { id, tool, arguments: given, claimed, unmarked } of calls) {
    const judgement = judgeCall(
      approvals.rules,
      { tool, agent, arguments: given },
      claimed,
      unmarked,
    );
    const usual = planOf(judgement, approvals, { agent, on_behalf_of });
    const users = { agent, ...defined({ on_behalf_of, decider }) };
    const mayDecide = !suspension.separation_of_duties;
    const asked = usual && initiatorPlan(usual, judgement.route, users, mayDecide);
    const named = asked && planWithPeople(asked, decider, people, { telling });
    const plan = named?.ok ? named.value : asked;
    const secret = plan && (await secretRefusal({ arguments: given }, suspension));
    const refused = secret ?? (named?.ok === false ? named.refusal : undefined);
    judged.push({ id, ...judgement, ...defined({ plan, refused }) });
  }
  return judged;
}
