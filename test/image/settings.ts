import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SECRET_VARIABLES } from '../../service/data-folder.js';
import { ROOT, unknownIn } from './faults.js';

/** The programs that run in containers of an installation. */
export type Program = 'migrate' | 'worker' | 'activate' | 'api';
/** Variables of a container, with their values, or with a text that says where a value comes from. */
export type Environment = Readonly<Record<string, string>>;

const TEMPORAL = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];
const OF_API = ['HOLDPOINT_ID_SECRETS'];
const OF_WORKER = ['HOLDPOINT_CHECKPOINT_KEY'];
/** What worker and API have in common, with the same values. */
const SHARED = [
  'DATABASE_URL',
  'HOLDPOINT_PUBLIC_URL',
  ...TEMPORAL,
  ...SECRET_VARIABLES.filter((name) => ![...OF_API, ...OF_WORKER].includes(name)),
];

/** What each program needs in production: one of the names in each list. */
export const NEEDED: Readonly<Record<Program, readonly (readonly string[])[]>> = {
  migrate: [['DATABASE_URL']],
  worker: [...SHARED, ...OF_WORKER].map((name) => [name]),
  activate: TEMPORAL.map((name) => [name]),
  api: [
    ...[...SHARED, ...OF_API].map((name) => [name]),
    ['HOLDPOINT_STATE_KEYS'],
    ['HOLDPOINT_TRUSTED_PROXIES'],
    ['HOLDPOINT_API_KEYS', 'HOLDPOINT_API_KEYS_FILE'],
  ],
};

/** What any of them may have besides. */
export const OPTIONAL = [
  'HOLDPOINT_API_METRICS',
  'HOLDPOINT_COMMAND',
  'HOLDPOINT_CONFIG',
  'HOLDPOINT_DATA_CONVERTER',
  'HOLDPOINT_STACK_TRACES',
  'HOLDPOINT_STOP_NOTICE_SECONDS',
  'HOLDPOINT_TEMPORAL_API_KEY_FILE',
  'HOLDPOINT_TEMPORAL_UI',
  'HOLDPOINT_WORKER_METRICS',
  'HOLDPOINT_WORKER_VERSIONING',
  'HOLDPOINT_WORKFLOW_BUNDLE',
  'HOST',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PORT',
  'TEMPORAL_API_KEY',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_PROFILE',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
];

/** What has no place in production: settings of `holdpoint start`, of commands of people, and of tests. */
export const ELSEWHERE = [
  'HOLDPOINT_API_KEY',
  'HOLDPOINT_CACHE_DIR',
  'HOLDPOINT_DATA_DIR',
  'HOLDPOINT_TEMPORAL_PORT',
  'HOLDPOINT_TEST_SERVER_PATH',
  'HOLDPOINT_URL',
  'TEMPORAL_CLI_PATH',
];

/** Code that reads the variables without our prefix. */
const READERS = [
  'api/server.ts',
  'runtime/config.ts',
  'runtime/tracing/start.ts',
  'temporal-config/cli.ts',
  'temporal-config/connection.ts',
  'node_modules/@temporalio/envconfig/lib/envconfig-toml.js',
]
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
  .join('');

/** Whether a program of ours reads a variable of this name. */
export function isRead(name: string): boolean {
  if (name.startsWith('HOLDPOINT_')) return unknownIn(name).length === 0;
  return READERS.includes(`'${name}'`);
}

/** What is wrong with the variables of the containers: too few, too many, or not the same where they have to be. */
export function settingFaults(given: Readonly<Record<Program, Environment>>): readonly string[] {
  const programs = Object.keys(NEEDED) as Program[];
  const { worker, api, activate } = given;
  return [
    ...programs.flatMap((program) => faultsOf(program, given[program])),
    ...SHARED.filter((name) => worker[name] !== api[name]).map(
      (name) => `${name} is not the same for worker and api`,
    ),
    ...TEMPORAL.filter((name) => worker[name] !== activate[name]).map(
      (name) => `${name} is not the same for worker and activate`,
    ),
  ];
}

function faultsOf(program: Program, env: Environment): readonly string[] {
  const needed = NEEDED[program];
  const missing = needed.filter((names) => !names.some((name) => env[name]));
  const known = [...needed.flat(), ...OPTIONAL];
  const others = Object.keys(env).filter((name) => !known.includes(name));
  return [
    ...missing.map((names) => `${program} lacks ${names.join(' or ')}`),
    ...others.map((name) => `${program} has ${name}, which it does not need`),
  ];
}
