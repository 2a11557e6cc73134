/** The commands for people and scripts, in the order in which help lists them. */
export const SHELL_COMMANDS = {
  login: 'keeps an address and a key for the commands below',
  inbox: 'lists the questions that wait',
  show: 'shows a question',
  answer: 'answers a question',
  'answer-all': 'gives one answer to many questions',
  approve: 'says yes to a question or an approval',
  deny: 'says no to a question or an approval',
  claim: 'says that you look after a question, for half an hour',
  release: 'ends your claim, or takes back what you have passed on',
  delegate: 'passes a question on to somebody',
  comment: 'adds a remark to a question',
  amend: 'corrects an open question, for who asked it',
  withdraw: 'takes a question back, for who asked it',
  watch: 'says as it happens which questions change',
  ask: 'asks a person, waits, and prints the answer',
  mcp: 'lets a model ask people: the Model Context Protocol over stdio',
  doctor: 'says what is wrong with settings and service, and how to mend it',
} as const satisfies Readonly<Record<string, string>>;
export type ShellCommand = keyof typeof SHELL_COMMANDS;

/** Whether the arguments of `holdpoint` name one of these. */
export function isShellCommand(name: string | undefined): name is ShellCommand {
  return name !== undefined && Object.hasOwn(SHELL_COMMANDS, name);
}
