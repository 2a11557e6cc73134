/** The commands for people and scripts, in the order in which help lists them. */
export const SHELL_COMMANDS = {
  login: 'stores an address and a key for the commands below',
  inbox: 'lists open questions',
  views: 'lists, renames and deletes your saved views of the inbox',
  show: 'shows a question',
  answer: 'answers a question',
  'answer-all': 'gives one answer to many questions',
  approve: 'says yes to a question or an approval',
  deny: 'says no to a question or an approval',
  claim: 'claims a question for half an hour',
  release: 'ends your claim or your delegation',
  delegate: 'delegates a question to somebody, or to a group',
  snooze: 'puts a question off, for your own lists',
  'quiet-hours': 'shows or sets when you want no push and no sound',
  comment: 'adds a remark to a question',
  amend: 'corrects an open question that you asked',
  withdraw: 'withdraws a question that you asked',
  watch: 'prints changes of questions as they happen',
  ask: 'asks a person, waits, and prints the answer',
  mcp: 'lets a model ask people: the Model Context Protocol over stdio',
  doctor: 'says what is wrong with the service, its channels and workflows',
} as const satisfies Readonly<Record<string, string>>;
export type ShellCommand = keyof typeof SHELL_COMMANDS;

export function isShellCommand(name: string | undefined): name is ShellCommand {
  return name !== undefined && Object.hasOwn(SHELL_COMMANDS, name);
}
