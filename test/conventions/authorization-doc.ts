/**
 * Writes `docs/authorization.md` from the table of rules.
 * Usage: `npx tsx test/conventions/authorization-doc.ts --write`; without `--write` it prints the page.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { ROLES } from '../../domain/policy/authorize.js';
import { RULES, isPublic, rowOf } from '../../domain/policy/rules.js';
import type { Action, Grant, Relation, Rule } from '../../domain/policy/rules.js';

/** The path of the page. */
export const AUTHORIZATION_PAGE = path.resolve(import.meta.dirname, '../../docs/authorization.md');

const INTRODUCTION = `# Who may do what

With this page you can look up what a key may do. It holds for both APIs, for streams and for webhooks: each
route is bound to one operation, and one function, \`authorize\` of \`domain/policy\`, judges all of them.

- A key proves a principal and its roles. \`agent\` asks and works, \`operator\` answers and decides, \`admin\`
  administers, \`auditor\` only reads and verifies, \`user\` decides about what an agent asks for it. A key with several roles may do what any of them may.
- \`created_by\`, \`agent_id\`, \`actor\` and \`X-Agent-ID\` are names that a sender claims. They permit nothing.
  The relations below compare principals only: the \`owner\` of an intent, who asked a question, the \`holder\` of
  a lease. Of a suspended intent, only a lease counts that is older than its question.
- What depends on the present state is judged by the workflow that has this state, when the write takes effect.
- Every key belongs to a space, \`default\` if it names none, and so does all that is made with it. What is in another
  space does not exist: its ids are answered as ids that nothing has. What shows all spaces is for keys of the space \`default\`.
- An intent may have an access list (RFC-0011). It narrows only keys that are \`agent\`, or \`agent\` and \`user\`,
  and nothing else, and not the owner: they need the permission in the column "access list", or a higher one.
  Of \`read\`, \`write\` and \`admin\`, each includes the ones before it. An agent that no entry names has none if the
  list is \`closed\`, and \`read\` if it is \`open\` and has entries. Whoever asks the open question has \`write\` at
  least, as long as it is open: the OpenIntent protocol asks, and withdraws, in several writes.
- Tasks and plans follow the list of their intent from when they have heard of it. It does not narrow the agent that has
  a task in the writes of this task, nor one that the task's own list \`permissions.allow\` lets write.
- Under \`authorization.agents_read: own\` keys that lists narrow read only what they own or ask, and what an entry of a
  list lets them. They write to no other intent, nor name one in what they write, and to no task or plan of one, but
  for a task that they have or that names them. A question of no intent is for who asked it, and who may settle it.
- The log and the streams of a portfolio show keys that lists narrow nothing of members that they may not read.
- Who may not act on a question is refused with \`forbidden\` also once it is settled, and is not told how it ended.
- Others are refused with \`forbidden\`, or with the code in the last column.
`;

const OPENING = `## Operations

An empty cell means that the role may not. A row that begins with "…" takes the place of the row above it in
the case that it names.
`;

const CASES: Readonly<Record<string, string>> = {
  abandonsSuspended: 'abandoning it while it is suspended',
  aboutOpenQuestion: 'about a question that is open',
  asChild: 'as the child of another',
  asks: 'so that it waits for a question, or no longer',
  endsRefusedAsk: 'as it was, after the question was refused for which it waits',
  inAnothersName: "in somebody else's name",
  loosensCheckpoints: 'removing or weakening a checkpoint',
  ofPauses: 'of other reasons than `human_input`',
  ofQuestion: 'a question to people',
  ofAnother: 'a task that is assigned to somebody else',
  overridesHold: 'while a question, a checkpoint or a coordinator holds the task',
  replacing: 'an agent that has registered before',
  withDeadline: 'so that a deadline reaches intents',
  withdrawsQuestions: 'going on past an open question of the plan',
};

const RELATIONS: Readonly<Record<Relation, string>> = {
  owner: 'its own',
  owners: 'all its own',
  asker: 'it asked',
  holder: 'it holds the lease',
  maker: 'it made it',
  assignee: 'it is assigned',
  named: 'it is named',
  claimer: 'it has claimed or passed on',
  initiator: 'asked for it',
};

function cell(
  grant: Grant | undefined,
  { isWhole = false }: { readonly isWhole?: boolean },
): string {
  if (grant === undefined) return '';
  if (isWhole) return 'in `default`';
  return grant === 'any' ? 'yes' : grant.map((relation) => RELATIONS[relation]).join(', ');
}

function line(name: string, rule: Rule & { readonly isWhole?: true }): string {
  const code = rule.code === undefined ? '' : `\`${rule.code}\``;
  const cells = ROLES.map((role) => cell(rule[role], rule));
  return `| ${[name, ...cells, rule.needs ?? '', code].join(' | ')} |`;
}

function linesOf(action: Action): readonly string[] {
  const row = rowOf(action);
  const cases = Object.entries(row.cases ?? {});
  return [
    line(`\`${action}\``, row),
    ...cases.map(([name, rule]) => line(`… ${CASES[name] ?? name}`, rule)),
  ];
}

/** Renders the whole page, formatted as the project formats Markdown. */
export async function renderAuthorization(): Promise<string> {
  const actions = Object.keys(RULES) as readonly Action[];
  const table = [
    `| operation | ${ROLES.join(' | ')} | access list | refusal |`,
    `| ${['---', ...ROLES.map(() => '---'), '---', '---'].join(' | ')} |`,
    ...actions.filter((action) => !isPublic(action)).flatMap(linesOf),
  ];
  const open = actions.filter(isPublic).map((action) => `\`${action}\``);
  const page = [
    INTRODUCTION,
    OPENING,
    `${table.join('\n')}\n`,
    `No key is needed for ${open.join(', ')}.\n`,
    'This page is made from `domain/policy/rules.ts` by',
    '`npx tsx test/conventions/authorization-doc.ts --write`, and a test compares the two.\n',
  ];
  return format(page.join('\n'), { parser: 'markdown', printWidth: 110, proseWrap: 'preserve' });
}

async function main(): Promise<void> {
  const page = await renderAuthorization();
  if (process.argv.includes('--write')) await writeFile(AUTHORIZATION_PAGE, page);
  else process.stdout.write(page);
}

const [, script] = process.argv;
// A module that tests import must not await at its top level.
if (script !== undefined && import.meta.url === pathToFileURL(script).href) void main();
