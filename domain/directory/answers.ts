import type { Directory } from '../../contracts/directory.js';
import type { Ruling } from '../../contracts/problem.js';
import type { AnsweringChannel } from '../../contracts/webhook-answer.js';
import { ok, refuse } from '../kernel/ruling.js';
import { personNamed, recipientsNamed } from './directory.js';
import type { Recipient } from './directory.js';

/**
 * The person for whom a channel brings an answer. Refuses `not_answered_for` unless the configuration lets the channel
 * answer for that person. Who is in the directory is not for the sender, so an unknown person is refused alike.
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
