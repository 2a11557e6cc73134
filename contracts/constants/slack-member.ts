/** Splits a Slack member of the directory into team and user; without a team, the user is in the bot's workspace. */
export function slackMember(slack: string): { readonly user: string; readonly team?: string } {
  const [team = '', user] = slack.split('/');
  return user === undefined ? { user: team } : { user, team };
}
