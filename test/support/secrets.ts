import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Values that no line written during a whole test run may hold (`test/run/run-tests.ts` looks for
 * them): keys, and what callers send that only the store and the people asked may see. Tests use them in
 * the place of their own.
 */
export const SEEDS = {
  agentKey: 'seeded-agent-key-4f1d0c77a9',
  secondAgentKey: 'seeded-second-agent-key-83b2e6d015',
  operatorKey: 'seeded-operator-key-b90a3c5e21',
  groupedKey: 'seeded-grouped-key-5f8e2c9a04',
  adminKey: 'seeded-admin-key-17c4f8e6d3',
  auditorKey: 'seeded-auditor-key-6a2d9b4c71',
  bothKey: 'seeded-both-key-6e5d20bb94',
  assistantKey: 'seeded-assistant-key-5d70c1e83b',
  userKey: 'seeded-user-key-0c4e7a91d5',
  otherUserKey: 'seeded-other-user-key-9e31b7c204',
  agentBKey: 'seeded-agent-b-key-2c91f07e54',
  peopleBKey: 'seeded-people-b-key-d84a6b3f10',
  bearer: 'seeded-bearer-2a7b9c0d1e',
  question: 'seeded-question-c3f1a58e60',
  choice: 'seeded-choice-90e4b7d2a1',
  context: 'seeded-context-5d8c1f3b72',
  state: 'seeded-state-e7a06b9c48',
  answer: 'seeded-answer-1b6f4d9a3e',
  reason: 'seeded-reason-f20c8e5b7d',
} as const;

/** Letters and digits of the right length; put together here, so that no scanner takes them for real. */
const filler = (length: number): string => 'aB3dE6gH9jK2mN5p'.repeat(10).slice(0, length);

/** One made-up credential of each kind that must not get into a question, by the detector's name. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
  AWSAccessKeyID: ['AKIA', 'Q7RTLW2ZXH4MVB6N'].join(''),
  AWSSecretAccessKey: `aws_secret_access_key = ${filler(40)}`,
  GITHUB_TOKEN: `ghp_${filler(36)}`,
  GITLAB_PERSONAL_ACCESS_TOKEN: `glpat-${filler(20)}`,
  SLACK_TOKEN: `xoxb-1-${filler(24)}-${filler(24)}`,
  IncomingWebhook: `https://hooks.slack.com/services/T${filler(8)}/B${filler(8)}/${filler(24)}`,
  NPM_ACCESS_TOKEN: `npm_${filler(36)}`,
  OPENAI_TOKEN: `sk-proj-${filler(74)}T3BlbkFJ${filler(74)}`,
  ANTHROPIC_API_KEY: `sk-ant-api03-${filler(93)}AA`,
  STRIPE_SECRET_KEY_LIVE: `sk_live_${filler(24)}`,
  STRIPE_SECRET_KEY_TEST: `sk_test_${filler(99)}`,
  STRIPE_RESTRICTED_KEY_LIVE: `rk_live_${filler(24)}`,
  STRIPE_RESTRICTED_KEY_TEST: `rk_test_${filler(24)}`,
  CLOUDFLARE_GLOBAL_API_KEY: `cfk_${filler(40)}0a1b2c3d`,
  CLOUDFLARE_USER_API_TOKEN: `cfut_${filler(40)}0a1b2c3d`,
  CLOUDFLARE_ACCOUNT_API_TOKEN: `cfat_${filler(40)}0a1b2c3d`,
  TAILSCALE_KEY: `tskey-auth-${filler(12)}-${filler(32)}`,
  SENDGRID_KEY: `SG.${filler(22)}.${filler(43)}`,
  HASHICORP_VAULT_SERVICE_TOKEN: `hvs.${filler(95)}`,
  PrivateKey: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string,
  BasicAuth: `https://bob:${filler(12)}@intranet.example.com/report`,
  PostgreSQLConnection: `postgres://bob:${filler(12)}@db.example.com:5432/orders`,
  MongoDBConnection: `mongodb+srv://bob:${filler(12)}@cluster.example.net/orders`,
};

/** A credential with a form of its own. */
export const TOKEN = `ghp_${filler(36)}`;
/** One that only its name gives away. */
export const NAMED_SECRET = filler(40);

/** Names the folder in which `run-tests.ts` keeps the logs of a run. */
export const RUN_LOGS = 'HOLDPOINT_RUN_LOGS';

/** A destination for pino, or for anybody who writes whole lines. */
export interface RunLog {
  readonly write: (text: string) => void;
}

/**
 * Where tests send a log which they would otherwise silence, so that it is searched for secrets when the
 * run is over. Outside such a run, as for a single file, it is dropped.
 *
 * @param source - whose log it is; becomes a file's name
 */
export function runLog(source: string): RunLog {
  const folder = process.env[RUN_LOGS];
  if (folder === undefined) return { write: () => undefined };
  const file = path.join(folder, `${source}.log`);
  return { write: (text) => appendFileSync(file, text) };
}

/** Base64 of a text differs by where it begins: three forms, without the characters at its ends. */
function base64Forms(text: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('\0'.repeat(shift) + text).toString('base64url');
    return encoded.slice(shift === 0 ? 0 : shift + 1, -2);
  });
}

function formsOf(seed: string): readonly string[] {
  return [seed, Buffer.from(seed).toString('hex'), ...base64Forms(seed)];
}

const FORMS = Object.entries(SEEDS).map(([name, seed]) => ({ name, forms: formsOf(seed) }));

/** The names of the seeds that a line holds, in clear text, hexadecimal or base64. */
export function seedsIn(line: string): readonly string[] {
  const folded = line.replaceAll('+', '-').replaceAll('/', '_');
  return FORMS.filter(({ forms }) =>
    forms.some((form) => line.includes(form) || folded.includes(form)),
  ).map(({ name }) => name);
}

function complaintsOf(file: string, text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      seedsIn(line).map((name) => `${file}, line ${index + 1}, holds the seed ${name}`),
    );
}

/**
 * Searches every line that a test run wrote for seeded secrets, and sees to it that there was something to
 * search.
 *
 * @param folder - holds a file `<source>.log` for each log
 * @param expected - the sources that must have written at least one line
 * @returns complaints, in which no seed is repeated; empty where all is well
 */
export async function findLeaks(
  folder: string,
  expected: readonly string[],
): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort();
  const logs = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  );
  const written = new Set(logs.filter(({ text }) => text.trim() !== '').map(({ name }) => name));
  const silent = expected.filter((source) => !written.has(`${source}.log`));
  return [
    ...silent.map((source) => `${source}.log has no line: nothing is proven`),
    ...logs.flatMap(({ name, text }) => complaintsOf(name, text)),
  ];
}
