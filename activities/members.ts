import type { MembershipPage, MembershipRequest } from '../contracts/announcement.js';
import type { Activities } from './types.js';

export interface MemberPorts {
  /** Undefined where the store has not come as far as is asked. */
  readonly read: (request: MembershipRequest) => Promise<MembershipPage | undefined>;
}

/** Reads who belongs to a portfolio; a store that is behind, or away, is tried again by the workflow. */
export function createMemberActivities({ read }: MemberPorts): Pick<Activities, 'readMembers'> {
  return {
    async readMembers(request) {
      const page = await read(request);
      if (page) return page;
      const { portfolio_id, last_sequence } = request;
      throw new Error(`portfolio ${portfolio_id} is not stored up to event ${last_sequence}`);
    },
  };
}
