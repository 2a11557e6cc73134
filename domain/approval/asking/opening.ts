import type { ApprovalPlan, Judgement } from '../../../contracts/approval/judging.js';
import type { ApprovalAsk, ApprovalOpening } from '../../../contracts/approval/requests.js';
import type { ApprovalsConfig } from '../../../contracts/approval/rules.js';
import type { Proposal } from '../../../contracts/approval/approval.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonEqual } from '../../kernel/json.js';
import { checkFieldSizes, checkInOrder, ok, refuse } from '../../kernel/ruling.js';
import { cutTo } from '../../kernel/text.js';
import { checkDataSchema, checkSchema } from '../../schema/checks.js';
import { patternCharacters } from '../../schema/work.js';
import { actsFor, checkDecider, deciderOf, decidersIn, initiatorPlan } from './initiator.js';
import { checkProposal, higherRisk } from '../proposal/proposal.js';
import { checkOneApproves, planOf } from './route.js';
import { WITHOUT_RULE, judgeCall } from './rules.js';
import { jointly, type Gate } from './turn.js';
import { planWithPeople } from './approver-people.js';
import type { ServerConfig } from '../../../contracts/server/config.js';
import type { TellingHere } from '../../directory/audience.js';
import type { KnownPeople } from '../../directory/known-people.js';
import { defined } from '../../../contracts/constants/defined.js';

interface Joint extends Pick<ApprovalOpening, 'verdict' | 'plan' | 'reason'> {
  readonly route: Judgement['route'];
  readonly risk_class: Judgement['risk_class'];
}

/**
 * Opens an approval: the configured rules judge each call, the strictest judgement applies to all, and one denial
 * denies all. Refuses `invalid_request` with the path for repeated ids, unusable argument schemas, and what is too
 * large; `invalid_response_schema` for an unusable answer schema, or for any if several people approve.
 *
 * @param may_decide - whether the `decider` decides if the rules name nobody; separation of duties may forbid it
 */
export function openingOf(
  ask: ApprovalAsk,
  config: ApprovalsConfig,
  may_decide = false,
): Ruling<ApprovalOpening> {
  const sound = checkInOrder(
    () => checkDecider(ask),
    () => checkCalls(ask),
  );
  if (!sound.ok) return sound;
  const schemas = schemasOf(ask);
  if (!schemas.ok) return schemas;
  const { route, risk_class, ...judged } = judgeAll(ask, config);
  const { context, channel_hint, response_schema } = ask;
  const plan = judged.plan && initiatorPlan(judged.plan, route, ask, may_decide);
  const proposal = {
    ...proposalOf(ask, route, risk_class),
    ...decidersIn(plan, deciderOf(ask)),
  };
  const fits = checkInOrder(
    () => checkProposal(proposal),
    () => checkQuestion(ask),
    () => checkSummaries(ask),
    () => (plan ? checkOneApproves(plan, response_schema) : ok(true)),
  );
  if (!fits.ok) return fits;
  return ok({
    ...judged,
    proposal,
    ...defined({ plan }),
    ...(Object.keys(schemas.value).length > 0 && { input_schemas: schemas.value }),
    ...defined({ summaries: summariesOf(ask), response_schema, context, channel_hint }),
  });
}

/** Where an approval is opened: its configuration, and the people who are known there. */
export interface OpeningPlace {
  readonly config: Pick<ServerConfig, 'approvals' | 'suspension'>;
  readonly people: KnownPeople | undefined;
  readonly telling: TellingHere;
}

/**
 * Opens an approval as `openingOf` does, with the people who decide. By default the user decides, unless this user or the asker
 * never answers.
 */
export function openingAt(
  ask: ApprovalAsk,
  { config, people, telling }: OpeningPlace,
): Ruling<ApprovalOpening> {
  const opening = openingOf(ask, config.approvals, !config.suspension.separation_of_duties);
  if (!opening.ok || !opening.value.plan) return opening;
  const asking = {
    telling,
    ...defined({ channel_hint: ask.channel_hint }),
    ...(ask.decider === undefined && ({ field: 'on_behalf_of' } as const)),
  };
  const { plan, proposal } = opening.value;
  const named = planWithPeople(plan, proposal.decider, people, asking);
  return named.ok ? ok({ ...opening.value, plan: named.value }) : named;
}

function judgeAll(ask: ApprovalAsk, config: ApprovalsConfig): Joint {
  const { agent, reason } = ask;
  const on_behalf_of = actsFor(ask);
  const judged: readonly Judgement[] =
    ask.calls.length === 0
      ? [WITHOUT_RULE]
      : ask.calls.map(({ tool, arguments: given, claimed }) =>
          judgeCall(config.rules, { tool, agent, arguments: given }, claimed),
        );
  const risk_class = judged.map((one) => one.risk_class).reduce(higherRisk);
  const own = defined({ reason });
  const denied = judged.find(({ verdict }) => verdict === 'deny');
  if (denied) {
    const why = denied.reason ?? reason;
    return { verdict: 'deny', route: 'auto', risk_class, ...defined({ reason: why }) };
  }
  const gates = judged.flatMap((one) => {
    const plan = planOf(one, config, { agent, on_behalf_of });
    return plan ? [gateOf(one, plan)] : [];
  });
  if (gates.length === 0) return { verdict: 'allow', route: 'auto', risk_class, ...own };
  // An allowed call may have a higher risk than those that people are asked about.
  const gate = jointly([...gates, { ...jointly(gates), risk_class, ...own }]);
  return { verdict: 'escalate', ...gate };
}

function gateOf({ route, risk_class, reason }: Judgement, plan: ApprovalPlan): Gate {
  return { route, risk_class, plan, ...defined({ reason }) };
}

function proposalOf(
  ask: ApprovalAsk,
  route: Proposal['route'],
  risk_class: Proposal['risk_class'],
): Proposal {
  const { approval_id, kind, run_id, turn_index, agent, visible_context } = ask;
  const on_behalf_of = actsFor(ask);
  return {
    approval_id,
    version: 1,
    kind,
    run_id,
    turn_index,
    agent,
    ...defined({ on_behalf_of }),
    calls: ask.calls.map(({ id, tool, arguments: given }) => ({ id, tool, arguments: given })),
    prompt: ask.prompt ?? promptOf(ask),
    visible_context,
    route,
    risk_class,
  };
}

const TOOLS_BYTES = 500;

function promptOf({ kind, agent, calls }: ApprovalAsk): string {
  if (kind === 'authentication') return `Sign in for ${agent}?`;
  if (kind === 'consent') return `Give your consent to ${agent}?`;
  const tools = calls.map(({ tool }) => tool).join(', ');
  return `May ${agent} run ${cutTo(tools, TOOLS_BYTES)}?`;
}

function checkCalls({ kind, calls }: ApprovalAsk): Ruling<true> {
  if (kind === 'tool_approval' && calls.length === 0) {
    return refused('calls', 'Nothing is to be approved.', 'at least one call');
  }
  const ids = calls.map(({ id }) => id);
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (repeated < 0) return ok(true);
  return refused(`calls[${repeated}].id`, 'Two calls have this id.', 'an id of its own');
}

function checkQuestion({ response_schema, context = {} }: ApprovalAsk): Ruling<true> {
  const schema = response_schema ? checkDataSchema(response_schema) : ok(true);
  return schema.ok ? checkFieldSizes({ context }, LIMITS.contextBytes) : schema;
}

function checkSummaries({ calls }: ApprovalAsk): Ruling<true> {
  const paths = calls.map(({ summary = [] }) => summary);
  return checkFieldSizes({ summary: paths }, LIMITS.summaryBytes);
}

function schemasOf({ calls }: ApprovalAsk): Ruling<Readonly<Record<string, JsonObject>>> {
  const schemas = new Map<string, JsonObject>();
  let patterns = 0;
  for (const [index, { tool, input_schema }] of calls.entries()) {
    if (input_schema === undefined) continue;
    const field = `calls[${index}].input_schema`;
    const known = schemas.get(tool);
    if (known && !jsonEqual(known, input_schema)) {
      return refused(field, 'Another call of this tool has another schema.', 'the same schema');
    }
    if (known !== undefined) continue;
    patterns += patternCharacters(input_schema);
    if (patterns > LIMITS.patternCharactersTogether) return tooManyPatterns(field);
    const checked = checkSchema(input_schema);
    if (!checked.ok) return inField(checked, field);
    schemas.set(tool, input_schema);
  }
  const all = Object.fromEntries(schemas);
  const size = checkFieldSizes({ input_schemas: all }, LIMITS.proposalBytes);
  return size.ok ? ok(all) : size;
}

function summariesOf({ calls }: Pick<ApprovalAsk, 'calls'>): ApprovalOpening['summaries'] {
  const chosen = calls.flatMap(({ id, summary }) =>
    summary === undefined ? [] : [[id, summary] as const],
  );
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}

function tooManyPatterns(field: string): Ruling<never> {
  const accepted = `patterns of at most ${LIMITS.patternCharactersTogether} characters in all schemas together`;
  return refused(field, 'The patterns of the schemas would take long to compile.', accepted);
}

function inField({ refusal }: Ruling<never> & { readonly ok: false }, field: string) {
  const { detail, accepted = 'a schema that can judge arguments' } = refusal;
  const within = refusal.field?.replace('response_schema', field) ?? field;
  return refused(within, detail, accepted);
}

function refused(field: string, detail: string, accepted: string): Ruling<never> {
  return refuse('invalid_request', detail, { field, accepted });
}
