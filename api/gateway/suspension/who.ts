import type { ServerConfig } from '../../../contracts/config.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import { unknownApprovers } from '../../../domain/approval/approver-people.js';
import type { KnownPeople } from '../../../domain/directory/known-people.js';
import { unknownInRecord } from '../../../domain/openintent/submitted-findings.js';

/** Who can answer, as far as that is known now; undefined where nobody is looked for. */
export type Who = () => KnownPeople | undefined;

/** What a gateway is told of people. */
export interface KnowsPeople {
  /** Who can answer in a space, as far as that is known now; without it nobody is looked for. */
  readonly peopleIn?: (space: string) => KnownPeople;
}

/** What the gateway of a space knows of people. */
export function createWho(
  { peopleIn, config: { approvals, directory } }: KnowsPeople & { readonly config: ServerConfig },
  space: string,
) {
  const people: Who = () => peopleIn?.(space);
  return {
    people,
    /** Whom the configuration lets approve that nobody of the space can be, in sentences. */
    unknownApprovers: (): readonly string[] => {
      const known = people();
      return known ? unknownApprovers(approvals, known) : [];
    },
    /** Whom a record of the OpenIntent API names that nobody knows, in sentences. */
    unknownIn: (record: JsonValue | undefined): readonly string[] =>
      unknownInRecord(record, { people: people(), directory, space }),
  };
}
