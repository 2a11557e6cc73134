import type { ServerConfig } from '../../../contracts/server/config.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { checkRecipients } from '../../directory/directory.js';
import { checkNamed, unheard, type KnownPeople } from '../../directory/known-people.js';
import { checkReach } from '../../directory/reach.js';
import { tellingHere, tellingWarnings } from '../../directory/audience.js';
import { ok } from '../../kernel/ruling.js';
import { silentWarnings, tellsNobodyAtFirst } from '../telling/silent-channel.js';
import { withWarnings } from './findings.js';
import { resolveQuestion, type QuestionLimits, type ResolvedQuestion } from './question.js';

/** Returns a warning for each channel that a question names and that is not configured. */
export function channelWarnings(
  { channel_hint, retry_policy }: SuspensionDraft,
  configured: readonly string[],
): readonly string[] {
  const ladder = retry_policy?.escalation_ladder ?? [];
  const asked = [channel_hint ?? '', ...ladder.map((entry) => entry.channel_hint)];
  return [...new Set(asked)]
    .filter((name) => name !== '' && !configured.includes(name))
    .map((name) => {
      const known = `configured: ${configured.join(', ')}`;
      return `The channel ${name} is not configured, so it notifies nobody; ${known}.`;
    });
}

type QuestionConfig = Pick<ServerConfig, 'suspension' | 'notifications' | 'directory'>;

/**
 * Resolves a request's question by this server's configuration, with warnings. Refuses as `resolveQuestion` does, and
 * `unknown_recipient` and `unknown_principal`.
 *
 * @param space - that of the asker: only people of the same space can be notified
 * @param people - who can answer there; undefined if unknown
 * @param askers - the names under which it is asked
 */
export function configuredQuestion(
  request: SuspendRequest,
  { suspension, notifications, directory }: QuestionConfig,
  limits: QuestionLimits,
  space: string,
  people?: KnownPeople,
  askers: readonly string[] = [],
): Ruling<ResolvedQuestion> {
  const question = resolveQuestion(request, suspension.default_retry_policy, limits);
  if (!question.ok) return question;
  const { draft, findings } = question.value;
  const ladder = draft.retry_policy?.escalation_ladder ?? [];
  const reached = checkRecipients(directory, ladder, space);
  if (!reached.ok) return reached;
  const named = people ? checkNamed(draft, people) : ok([]);
  if (!named.ok) return named;
  const { on_behalf_of: user } = request;
  const all = [...askers, ...(user ? [user] : [])];
  const separate = suspension.separation_of_duties ? all : [];
  const reach = checkReach(draft, separate, people);
  if (!reach.ok) return reach;
  const more = [
    ...channelWarnings(draft, Object.keys(notifications.channels)),
    ...silentWarnings(draft, notifications),
    ...named.value,
    ...(directory === undefined && people ? unheard(ladder, people) : []),
    ...reach.value,
    ...tellingWarnings(
      draft,
      all,
      tellingHere({ suspension, notifications, directory }, space, people),
    ),
  ];
  const warned = withWarnings(findings, more);
  return ok({
    draft,
    findings: tellsNobodyAtFirst(draft, notifications)
      ? { ...warned, tells_nobody_at_first: true }
      : warned,
  });
}
