/**
 * Writes `docs/authorization.md` from the table of rules.
 * Usage: `npx tsx test/conventions/authorization-doc.ts --write`; without `--write` it prints the page.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { ROLES } from '../../domain/policy/authorize.js';
import {
  RULES,
  isPublic,
  rowOf,
  type Action,
  type Grant,
  type Relation,
  type Rule,
} from '../../domain/policy/rules.js';

/** The path of the page. */
export const AUTHORIZATION_PAGE = path.resolve(import.meta.dirname, '../../docs/authorization.md');

const INTRODUCTION = `# Who may do what

This page lists the rights of every key. They hold for both APIs, for streams and for webhooks: each route runs one
operation, \`domain/policy/rules.ts\` has a row with the roles of each operation, and one function, \`authorize\` of
\`domain/policy\`, judges by that row.

- A key proves a principal and its roles. \`agent\` asks and works, \`operator\` answers and decides, \`admin\`
  administers, \`auditor\` only reads and verifies, \`user\` decides about requests of agents on its behalf. A key with
  several roles may do what any of them may.
- \`created_by\`, \`agent_id\`, \`actor\` and \`X-Agent-ID\` are unverified names. They permit nothing. The relations below
  compare principals only: the \`owner\` of an intent, the asker of a question, the \`holder\` of a lease. While an intent is
  suspended, only a lease that is older than its question counts.
- Rights that depend on the present state are judged by the workflow that has this state, when the write takes effect.
- Every key belongs to a space, \`default\` if it names none, and so does everything made with it. Things of another space
  are invisible: their ids are answered like unknown ids. Operations that show all spaces need a key of the space \`default\`.
- An intent may have an access list (RFC-0011). It narrows only keys that are \`agent\`, or \`agent\` and \`user\`,
  and nothing else, and it never narrows the owner. Such keys need the permission in the column "access list", or a higher
  one. Of \`read\`, \`write\` and \`admin\`, each includes the ones before it. An agent without an entry has no permission if the
  list is \`closed\`, and \`read\` if it is \`open\` and has entries. The asker of the open question has at least \`write\` as
  long as it is open, because the OpenIntent protocol asks and withdraws in several writes.
- Tasks and plans follow the list of their intent once it has reached them. It does not stop the agent that has a task from
  writing this task, nor an agent in the task's own list \`permissions.allow\`.
- Under \`authorization.agents_read: own\`, keys that lists narrow may read only what they own or asked, and what an entry of
  a list lets them read. They may write to no other intent, name no other intent in a write, and write to no task or plan
  of one, except a task that they have or that names them. A question without an intent is visible to its asker and to
  people who may settle it.
- The log and the streams of a portfolio hide members that such keys may not read.
- A principal that may not act on a question is refused with \`forbidden\` even after the question is settled, and does not
  learn how it ended.
- All others are refused with \`forbidden\`, or with the code in the last column.
`;

const OPENING = `## Operations

An empty cell means that the role may not run the operation. A row that begins with "…" replaces the row above it in the
case that it names.
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
