import { defaultPayloadConverter } from '@temporalio/common';
import type { Guarded } from '../../../contracts/intent/access.js';
import { LIMITS } from '../../../contracts/constants/limits.js';

export const KIB = 1_024;
/** What Temporal takes as one payload, such as the input of a run. */
export const PAYLOAD_BYTES = 2 * KIB * KIB;
/** What Temporal takes as one message, such as all commands and replies of one task of a workflow. */
export const MESSAGE_BYTES = 4 * KIB * KIB;
/** More than a command takes beside its payload: ids, names, the name of the type. */
export const COMMAND_BYTES = 512;

/** Returns how many bytes a value takes as Temporal gets it. */
export function payloadBytes(value: unknown): number {
  return defaultPayloadConverter.toPayload(value).data?.byteLength ?? 0;
}

/** Returns a text of so many bytes of JSON. */
export const sized = (bytes: number) => 'x'.repeat(bytes - 2);
/** Returns a text of the character that takes the most bytes in JSON. */
export const text = (characters: number) => '\u0001'.repeat(characters);
/** Returns a list that has one thing so many times. */
export const times = <T>(count: number, one: T) => Array.from({ length: count }, () => one);
export const NAME = text(LIMITS.nameCharacters);
export const ERROR = text(LIMITS.questionCharacters);
/** What an intent says of who may write what belongs to it, as large as that may be. */
export const GUARD: Guarded = {
  owner: NAME,
  askers: [NAME],
  access: {
    default_policy: 'closed',
    entries: [
      {
        principal_id: sized(LIMITS.accessBytes),
        principal_type: 'agent',
        permission: 'write',
        expires_at: null,
      },
    ],
  },
};

/** Returns the largest number that a door accepts, if it accepts all smaller ones. */
export function largest(accepts: (number: number) => boolean, below = PAYLOAD_BYTES): number {
  let found = 2;
  for (let step = below; step >= 1; step /= 2) if (accepts(found + step)) found += step;
  return found;
}
