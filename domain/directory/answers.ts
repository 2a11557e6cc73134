import type { Directory } from '../../contracts/people/directory.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { AnsweringChannel } from '../../contracts/channel/webhook-answer.js';
import { ok, refuse } from '../kernel/ruling.js';
import { personNamed, recipientsNamed } from './directory.js';
import type { Recipient } from './directory.js';

/**
 * Returns the person for whom a channel brings an answer. Refuses `not_answered_for` unless the configuration allows
 * this. An unknown person is refused in the same way, because the directory is not for the sender.
 */
export function personAnsweredFor(
  directory: Directory | undefined,
  { people }: AnsweringChannel,
  principal: string,
): Ruling<Recipient> {
  const space = Object.hasOwn(directory?.people ?? {}, principal)
    ? directory?.people[principal]?.space
    : undefined;
  const person = space === undefined ? undefined : personNamed(directory, principal, space);
  const isMeant = people.some((name) =>
    recipientsNamed(directory, name, space ?? '').some((one) => one.principal === principal),
  );
  if (person !== undefined && isMeant) return ok(person);
  return refuse('not_answered_for', 'This webhook does not answer for this person.', {
    field: 'person',
    accepted: 'the principal of a person for whom its channel may answer',
  });
}
