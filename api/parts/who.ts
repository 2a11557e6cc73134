import { LIMITS } from '../../contracts/constants/limits.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { unknownApprovers } from '../../domain/approval/asking/approver-people.js';
import type { KnownPeople } from '../../domain/directory/known-people.js';
import { tellingHere, tellingWarnings, type TellingHere } from '../../domain/directory/audience.js';
import { unknownInRecord } from '../../domain/openintent/submitted-rule.js';
import { submittedQuestion } from '../../domain/openintent/submitted-question.js';

/** Returns the people who can answer, as far as this process knows; undefined where nobody is looked for. */
export type Who = () => KnownPeople | undefined;

export interface KnowsPeople {
  /** Returns the people of a space who can answer, as far as this process knows; without it nobody is looked for. */
  readonly peopleIn?: (space: string) => KnownPeople;
}

export function createWho(
  { peopleIn, config }: KnowsPeople & { readonly config: ServerConfig },
  space: string,
) {
  const people: Who = () => peopleIn?.(space);
  return {
    people,
    /** Returns a warning, as a sentence, for each approver of the configuration whom the space does not have. */
    unknownApprovers: (): readonly string[] => {
      const known = people();
      return known ? unknownApprovers(config.approvals, known) : [];
    },
    /** Returns whom questions of the space reach, as far as this process knows. */
    telling: (): TellingHere => tellingHere(config, space, people()),
    /**
     * Returns warnings, as sentences, about unknown people in a record of the OpenIntent API, and about those whom no
     * message reaches.
     * @param now - ms
     */
    warningsIn: (
      record: JsonValue | undefined,
      askers: readonly string[],
      now: number,
    ): readonly string[] => {
      const read = submittedQuestion(record, now, LIMITS);
      const here = tellingHere(config, space, people());
      return [
        ...unknownInRecord(record, { people: people(), directory: config.directory, space }),
        ...(read.ok ? tellingWarnings(read.value.record, askers, here) : []),
      ];
    },
  };
}
