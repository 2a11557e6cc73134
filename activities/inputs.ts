import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ServerConfig } from '../contracts/server/config.js';
import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import { LIMITS } from '../contracts/constants/limits.js';
import { pauseInputSchema, saysPause } from '../contracts/suspension/pause-requests.js';
import type { Refusal } from '../contracts/kernel/problem.js';
import { SUSPEND_CODES, inputRequestSchema } from '../contracts/suspension/requests.js';
import type { PreparedInput } from '../contracts/suspension/requests.js';
import { parseKnownFields } from '../contracts/kernel/unknown-fields.js';
import { knownPeople, unchecked } from '../domain/directory/known-people.js';
import type { KnownPeople } from '../domain/directory/known-people.js';
import { resolvePause } from '../domain/suspension/asking/pause.js';
import { configuredQuestion } from '../domain/suspension/asking/configured-question.js';
import { withWarnings } from '../domain/suspension/asking/findings.js';
import { secretRefusal } from '../runtime/secrets.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies } from './dependencies.js';
import type { ActivityStore } from './ports/store.js';

/** Returns a refusal as a failure. Another try would be refused too, and the refusal is no defect of this worker. */
export function refusal(refused: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: refused.code,
    message: refused.detail,
    details: [refused],
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** Throws a refusal if what is asked seems to contain a credential, as every other way to ask does. */
export async function refuseSecrets(
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
 * Returns who can answer in a space, by the keys that an API noted. Undefined if no API has noted any, or if the store is away:
 * the question is asked all the same, because people can answer it without the store.
 */
export async function peopleIn(
  space: string,
  { config, store }: Pick<Asking, 'config' | 'store'>,
): Promise<KnownPeople | undefined> {
  const byKey = await store.answeringByKey().catch(() => undefined);
  return byKey && knownPeople(space, byKey, config.directory, config.sign_in === undefined);
}

/**
 * Checks a question of an agent's workflow as `/v1` does, and completes it with the platform's policy. The warnings name what
 * has no effect, such as a channel that is not configured. Throws refusals as non-retryable ApplicationFailures whose type is an
 * error code.
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

/** Does the same for a pause. */
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
