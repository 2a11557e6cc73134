import type { ServerConfig } from '../contracts/config.js';
import { judgeCallsRequestSchema } from '../contracts/approval-judging.js';
import type { JudgedCall } from '../contracts/approval-judging.js';
import { parseKnownFields } from '../contracts/unknown-fields.js';
import { planWithPeople } from '../domain/approval/approver-people.js';
import { actsFor, initiatorPlan } from '../domain/approval/initiator.js';
import { planOf } from '../domain/approval/route.js';
import { judgeCall } from '../domain/approval/rules.js';
import type { KnownPeople } from '../domain/directory/known-people.js';
import { secretRefusal } from '../runtime/secrets.js';
import { refusal } from './inputs.js';

/**
 * Judges the tool calls of a turn by the configured rules, in the order of the calls, and says whom to ask about those that
 * are escalated. People are not asked about a call that seems to contain a credential, nor where nobody here can be the `decider`:
 * it gets the refusal. What it returns
 * is in the history of the workflow, so rules that change later change nothing there. A request that is not in order is
 * refused with a non-retryable ApplicationFailure whose type is an error code.
 *
 * @param peopleOf - finds out who can answer; undefined if that is not known
 */
export async function judgeToolCalls(
  { approvals, suspension }: Pick<ServerConfig, 'approvals' | 'suspension'>,
  request: unknown,
  peopleOf: () => Promise<KnownPeople | undefined> = () => Promise.resolve(undefined),
): Promise<readonly JudgedCall[]> {
  const parsed = parseKnownFields(judgeCallsRequestSchema, request);
  if (!parsed.ok) throw refusal(parsed.refusal);
  const { agent, decider, calls } = parsed.value;
  const on_behalf_of = actsFor(parsed.value);
  const judged: JudgedCall[] = [];
  const people = await peopleOf();
  for (const { id, tool, arguments: given, claimed, unmarked } of calls) {
    const judgement = judgeCall(
      approvals.rules,
      { tool, agent, arguments: given },
      claimed,
      unmarked,
    );
    const usual = planOf(judgement, approvals, { agent, on_behalf_of });
    const mayDecide = !suspension.separation_of_duties;
    const asked =
      usual && mayDecide ? initiatorPlan(usual, judgement.route, { agent, decider }) : usual;
    const named = asked && planWithPeople(asked, decider, people);
    const plan = named?.ok ? named.value : asked;
    const secret = plan && (await secretRefusal({ arguments: given }, suspension));
    const refused = secret ?? (named?.ok === false ? named.refusal : undefined);
    judged.push({ id, ...judgement, ...(plan && { plan }), ...(refused && { refused }) });
  }
  return judged;
}
