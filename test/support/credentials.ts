import { generateKeyPairSync } from 'node:crypto';

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
