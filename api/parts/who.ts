import { LIMITS } from '../../contracts/constants/limits.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { unknownApprovers } from '../../domain/approval/asking/approver-people.js';
import type { KnownPeople } from '../../domain/directory/known-people.js';
import { tellingHere, tellingWarnings } from '../../domain/directory/telling.js';
import type { TellingHere } from '../../domain/directory/telling.js';
import { unknownInRecord } from '../../domain/openintent/submitted-findings.js';
import { submittedQuestion } from '../../domain/openintent/submitted-question.js';

/** Returns the people who can answer, as far as they are known now; undefined where nobody is looked for. */
export type Who = () => KnownPeople | undefined;

/** What a process brings along about people. */
export interface KnowsPeople {
  /** Returns the people of a space who can answer, as far as they are known now; without it nobody is looked for. */
  readonly peopleIn?: (space: string) => KnownPeople;
}

/** What the parts of a space know about people. */
export function createWho(
  { peopleIn, config }: KnowsPeople & { readonly config: ServerConfig },
  space: string,
) {
  const people: Who = () => peopleIn?.(space);
  return {
    people,
    /** Warns, in sentences, of approvers of the configuration whom the space does not have. */
    unknownApprovers: (): readonly string[] => {
      const known = people();
      return known ? unknownApprovers(config.approvals, known) : [];
    },
    /** Whom questions of the space reach, as far as that is known now. */
    telling: (): TellingHere => tellingHere(config, space, people()),
    /**
     * Warns, in sentences, of people whom a record of the OpenIntent API names and nobody knows, and of those whom it tells in vain.
     *
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
