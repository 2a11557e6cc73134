/** The team and the user of a member of Slack as the directory has it; without a team it is of the workspace of the bot. */
export function slackMember(slack: string): { readonly user: string; readonly team?: string } {
  const [team = '', user] = slack.split('/');
  return user === undefined ? { user: team } : { user, team };
}
