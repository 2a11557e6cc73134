import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ServerConfig } from '../contracts/server/config.js';
import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import { LIMITS } from '../contracts/constants/limits.js';
import { pauseInputSchema, saysPause } from '../contracts/suspension/pause-requests.js';
import type { Refusal } from '../contracts/kernel/problem.js';
import {
  SUSPEND_CODES,
  inputRequestSchema,
  type PreparedInput,
} from '../contracts/suspension/requests.js';
import { parseKnownFields } from '../contracts/kernel/unknown-fields.js';
import { knownPeople, unchecked, type KnownPeople } from '../domain/directory/known-people.js';
import { resolvePause } from '../domain/suspension/asking/pause.js';
import { configuredQuestion } from '../domain/suspension/asking/configured-question.js';
import { withWarnings } from '../domain/suspension/asking/findings.js';
import { secretRefusal } from '../runtime/secrets.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies } from './dependencies.js';
import type { ActivityStore } from './ports/store.js';
import { gateRequestSchema, type PreparedApproval } from '../contracts/approval/by-name.js';
import { judgeCallsRequestSchema, type JudgedCall } from '../contracts/approval/judging.js';
import { planWithPeople } from '../domain/approval/asking/approver-people.js';
import { actsFor, initiatorPlan } from '../domain/approval/asking/initiator.js';
import { openingAt } from '../domain/approval/asking/opening.js';
import { planOf } from '../domain/approval/asking/route.js';
import { judgeCall } from '../domain/approval/asking/rules.js';
import { tellingHere } from '../domain/directory/audience.js';
import { defined } from '../contracts/constants/defined.js';
import { randomBytes } from 'node:crypto';
import {
  storedSnapshotSchema,
  type SavedSnapshot,
  type StoredSnapshot,
} from '../contracts/approval/snapshot.js';
import { hashOfSnapshot } from '../domain/approval/asking/snapshot.js';

/** Makes a failure from a refusal, non-retryable, because another try would be refused too. */
export function refusal(refused: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: refused.code,
    message: refused.detail,
    details: [refused],
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** Throws a refusal if a question seems to contain a credential, as the other ways to ask do. */
async function refuseSecrets(
  asked: object,
  { suspension }: Pick<ServerConfig, 'suspension'>,
): Promise<void> {
  const secret = await secretRefusal(asked, suspension);
  if (secret !== undefined) throw refusal(secret);
}

type Asking = Pick<ActivityDependencies, 'config' | 'now'> & {
  readonly store: Pick<ActivityStore, 'answeringByKey'>;
};

/**
 * Returns who can answer in a space, by the keys that an API noted. Undefined if none were noted, or if the store is
 * unavailable: the question is asked all the same, because people can answer it without the store.
 */
export async function peopleIn(
  space: string,
  { config, store }: Pick<Asking, 'config' | 'store'>,
): Promise<KnownPeople | undefined> {
  const byKey = await store.answeringByKey().catch(() => undefined);
  return byKey && knownPeople(space, byKey, config.directory, config.sign_in === undefined);
}

/**
 * Checks a question of an agent's workflow as `/v1` does, and completes it with the platform's policy. The warnings
 * name what has no effect, such as an unconfigured channel. Throws refusals as non-retryable ApplicationFailures
 * whose type is an error code.
 */
export async function prepareInput(
  { config, now, store }: Asking,
  request: unknown,
  space: string = DEFAULT_SPACE,
): Promise<PreparedInput> {
  if (saysPause(request)) return preparePause({ config, now }, request);
  const parsed = parseKnownFields(inputRequestSchema, request, SUSPEND_CODES);
  if (!parsed.ok) throw refusal(parsed.refusal);
  await refuseSecrets(parsed.value, config);
  const people = await peopleIn(space, { config, store });
  const { asked_by } = parsed.value;
  const askers = asked_by === undefined ? [] : [asked_by];
  const question = configuredQuestion(parsed.value, config, LIMITS, space, people, askers);
  if (!question.ok) throw refusal(question.refusal);
  const { draft, findings: found } = question.value;
  const findings = people ? found : withWarnings(found, unchecked(draft));
  const { warnings = [] } = findings;
  const asked_at = toInstant(now().getTime());
  return { draft, warnings, findings, asked_at };
}

async function preparePause(
  { config, now }: Pick<ActivityDependencies, 'config' | 'now'>,
  request: unknown,
): Promise<PreparedInput> {
  const parsed = parseKnownFields(pauseInputSchema, request);
  if (!parsed.ok) throw refusal(parsed.refusal);
  await refuseSecrets(parsed.value, config);
  const paused = resolvePause(parsed.value, LIMITS);
  if (!paused.ok) throw refusal(paused.refusal);
  return { ...paused.value, warnings: [], asked_at: toInstant(now().getTime()) };
}

/** Checks an approval that a workflow opens by name, as `/v1` does. Throws as `prepareInput`. */
export async function prepareApproval(
  { config, now, store }: Asking,
  request: unknown,
  space: string,
): Promise<PreparedApproval> {
  const parsed = parseKnownFields(gateRequestSchema, request);
  if (!parsed.ok) throw refusal(parsed.refusal);
  const { prompt, visible_context, calls, response_schema } = parsed.value;
  await refuseSecrets({ prompt, visible_context, calls, response_schema }, config);
  const people = await peopleIn(space, { config, store });
  const telling = tellingHere(config, space, people);
  const opening = openingAt(parsed.value, { config, people, telling });
  if (!opening.ok) throw refusal(opening.refusal);
  return {
    asked_at: toInstant(now().getTime()),
    log_key: newLogKey(),
    within_seconds: config.approvals.redeem_within_seconds,
    opening: opening.value,
  };
}

/**
 * Judges the tool calls of a turn by the configured rules. A call that seems to contain a credential is refused, and
 * so is one whose `decider` nobody here can be. The workflow's history keeps the result. Throws a non-retryable
 * ApplicationFailure whose type is an error code.
 *
 * @param peopleOf - returns who can answer; undefined if unknown
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

type Dependencies = Pick<ActivityDependencies, 'now'> & {
  readonly config: Pick<ServerConfig, 'suspension'>;
  readonly store: Pick<ActivityDependencies['store'], 'saveSnapshot'>;
};

const KEY_BYTES = 32;

function newLogKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/**
 * Stores an agent's state once, before it waits; returns when that was first done, and a key for its logs. Throws a
 * non-retryable ApplicationFailure whose type is an error code.
 */
export async function saveSnapshot(
  { store, now, config }: Dependencies,
  given: unknown,
  space: string,
): Promise<SavedSnapshot> {
  const parsed = parseKnownFields(storedSnapshotSchema, given);
  if (!parsed.ok) throw refusal(parsed.refusal);
  // Stored unparsed: its hash covers names that the parser would drop, such as `__proto__`.
  const stored = given as StoredSnapshot;
  if (hashOfSnapshot(stored.snapshot) !== stored.hash) {
    const detail = 'The snapshot has another hash.';
    throw refusal({ code: 'invalid_request', detail, field: 'hash' });
  }
  for (const { prompt, visible_context, calls } of stored.snapshot.proposals) {
    await refuseSecrets({ prompt, visible_context, calls }, config);
  }
  const saved_at = await store.saveSnapshot(stored, toInstant(now().getTime()), space);
  return { saved_at, log_key: newLogKey(), notes_mutations: true };
}
