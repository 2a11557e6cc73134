import type { SlackConfig } from '../../../contracts/channel/slack-config.js';
import { slackMember } from '../../../contracts/constants/slack-member.js';
import { slackCall } from './client.js';

/** The members of a channel's workspace. */
export interface Members {
  /**
   * The ids of those of the directory's members who are in this workspace; one without a team is. Throws as `slackCall` does
   * where Slack has to be asked which workspace it is.
   */
  here(members: readonly string[], wanted: AbortSignal): Promise<readonly string[]>;
}

/** @param ask - asks Slack for the workspace of the bot; at most once, but again after a failure */
export function createMembers(
  { team: configured, timeout_seconds }: Pick<SlackConfig, 'team' | 'timeout_seconds'>,
  ask: () => Promise<{ readonly team_id?: string | undefined }>,
): Members {
  let own = configured;
  return {
    async here(members, wanted) {
      const known = members.map(slackMember);
      if (own === undefined && known.some(({ team }) => team !== undefined)) {
        own = (await slackCall(ask, timeout_seconds, wanted)).team_id;
      }
      return known.flatMap(({ user, team }) => (team === undefined || team === own ? [user] : []));
    },
  };
}
