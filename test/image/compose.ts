import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ROOT, SECRET, VERSION, unknownIn } from './faults.js';
import { settingFaults } from './settings.js';

interface Service {
  readonly image?: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly privileged?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

type Services = Readonly<Record<string, Service>>;

/** Seconds that an API may take to end: the notice, its requests, and their rows. */
const LONGEST_END = 20;
/** What has to be there before a service starts. */
const ORDER = [
  ['temporal-schema', 'postgresql', 'service_healthy'],
  ['temporal', 'temporal-schema', 'service_completed_successfully'],
  ['temporal-namespace', 'temporal', 'service_healthy'],
  ['migrate', 'postgresql', 'service_healthy'],
  ['worker', 'migrate', 'service_completed_successfully'],
  ['worker', 'temporal-namespace', 'service_completed_successfully'],
  ['activate', 'worker', 'service_healthy'],
  ['api', 'activate', 'service_completed_successfully'],
  ['proxy', 'api', 'service_healthy'],
] as const; /** What the images of others read, by their sources: Temporal's server takes defaults for all that is missing. */
const READ_BY_OTHERS: Readonly<Record<string, readonly string[]>> = {
  postgresql: ['POSTGRES_USER', 'POSTGRES_PASSWORD'],
  'temporal-schema': ['SQL_HOST', 'SQL_PORT', 'SQL_USER', 'SQL_PASSWORD', 'SQL_PLUGIN'],
  temporal: [
    'DB',
    'DB_PORT',
    'POSTGRES_SEEDS',
    'POSTGRES_USER',
    'POSTGRES_PWD',
    'BIND_ON_IP',
    'NUM_HISTORY_SHARDS',
    'DYNAMIC_CONFIG_FILE_PATH',
  ],
  'temporal-namespace': ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'],
  'temporal-ui': ['TEMPORAL_ADDRESS'],
};
/** Variables that name a service: `host`, `host:port`, or a URL with it. */
const HOSTS = ['DATABASE_URL', 'POSTGRES_SEEDS', 'SQL_HOST', 'TEMPORAL_ADDRESS'];
/** Folders of what must outlive a container. */
const KEPT = { postgresql: '/var/lib/postgresql/data', proxy: '/data' };

/** The variables that a text takes from `.env`. */
export function takenBy(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))].sort();
}

/** What is wrong with a compose file by what the programs in it need. */
export function composeFaults(text: string): readonly string[] {
  const { services } = parse(text, { merge: true }) as { readonly services: Services };
  return [
    ...unknownIn(text),
    ...orderFaults(services),
    ...lifeFaults(services),
    ...othersFaults(services),
    ...settingFaults({
      migrate: services['migrate']?.environment ?? {},
      worker: services['worker']?.environment ?? {},
      activate: services['activate']?.environment ?? {},
      api: services['api']?.environment ?? {},
    }),
    ...Object.entries(services).flatMap(([name, service]) =>
      [...programFaults(service), ...openFaults(service)].map((fault) => `${name} ${fault}`),
    ),
  ];
}

/** What dclint finds in a compose file. */
export async function dclintFaults(text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-compose-'));
  const file = path.join(folder, 'compose.yaml');
  try {
    await writeFile(file, text);
    const args = [
      '-c',
      path.join(ROOT, '.dclintrc.yaml'),
      '--max-warnings',
      '0',
      '--no-color',
      file,
    ];
    await promisify(execFile)(path.join(ROOT, 'node_modules/.bin/dclint'), args);
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`dclint: ${stdout}${stderr}`];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function orderFaults(services: Services): readonly string[] {
  return ORDER.filter(
    ([name, before, condition]) => services[name]?.depends_on?.[before]?.condition !== condition,
  ).map(([name, before, condition]) => `${name} does not wait for ${before}: ${condition}`);
}

/** What starts again when it should not, or the other way round, or is awaited in vain. */
function lifeFaults(services: Services): readonly string[] {
  const awaited = (as: string): ReadonlySet<string> =>
    new Set(
      Object.values(services).flatMap(({ depends_on = {} }) =>
        Object.keys(depends_on).filter((name) => depends_on[name]?.condition === as),
      ),
    );
  const once = awaited('service_completed_successfully');
  const silent = [...awaited('service_healthy')].filter(
    (name) => services[name]?.healthcheck?.test === undefined,
  );
  return [
    ...Object.entries(services)
      .filter(([name, { restart = 'no' }]) =>
        once.has(name) ? !restart.startsWith('on-failure:') : restart !== 'unless-stopped',
      )
      .map(([name]) => `${name} ${once.has(name) ? 'is never done' : 'stays down'}`),
    ...silent.map((name) => `${name} is awaited, and has no health check`),
  ];
}

/** What is wrong with variables of others' images, with hosts, versions and volumes. */
function othersFaults(services: Services): readonly string[] {
  const set = Object.entries(services).flatMap(([name, { environment = {} }]) =>
    Object.entries(environment).map(([variable, value]) => ({ name, variable, value })),
  );
  const isService = (host: string): boolean => services[host] !== undefined;
  const tags = Object.values(services).flatMap(
    ({ image = '' }) => /^temporalio\/(?:server|admin-tools):(.*)/.exec(image)?.slice(1) ?? [],
  );
  return [
    ...Object.entries(READ_BY_OTHERS).flatMap(([name, variables]) =>
      variables
        .filter((variable) => !services[name]?.environment?.[variable])
        .map((variable) => `${name} lacks ${variable}`),
    ),
    ...set
      .filter(({ variable, value }) => HOSTS.includes(variable) && !isService(hostIn(value)))
      .map(({ name, variable }) => `${name} has a ${variable} of no service`),
    ...(new Set(tags).size === 1 ? [] : [`Temporal has the versions ${tags.join()}`]),
    ...Object.entries(KEPT)
      .filter(([name, folder]) => !services[name]?.volumes?.some((one) => isKeptIn(one, folder)))
      .map(([name, folder]) => `${name} loses ${folder}`),
  ];
}

function hostIn(value: string): string {
  const [host = ''] = value.slice(value.lastIndexOf('@') + 1).split(':');
  return host;
}

function isKeptIn(volume: string, folder: string): boolean {
  return /^\w/.test(volume) && volume.endsWith(`:${folder}`);
}

/** What is wrong with a container of our image. */
function programFaults(service: Service): readonly string[] {
  if (!service.image?.includes('holdpoint')) return [];
  const [name = ''] = service.command ?? [];
  const isLasting = name === 'worker' || name === 'api';
  const grace = Number.parseInt(service.stop_grace_period ?? '10s', 10);
  const demands: readonly (readonly [isMet: boolean, fault: string])[] = [
    [service.image.endsWith(`:${VERSION}}`), `is not of version ${VERSION}`],
    [service.read_only === true, 'may write'],
    [service.cap_drop?.includes('ALL') === true, 'keeps capabilities'],
    [service.security_opt?.includes('no-new-privileges:true') === true, 'may gain privileges'],
    [service.user === undefined, 'runs as another user than that of the image'],
    [!isLasting || grace > LONGEST_END, `has ${grace} s to end`],
    [!isLasting || service.healthcheck?.test?.includes('health.mjs') === true, 'has no probe'],
  ];
  return demands.filter(([isMet]) => !isMet).map(([, fault]) => fault);
}

/** What a service opens that has to be closed: the machine, its folders and ports, and secrets in the file. */
function openFaults(service: Service): readonly string[] {
  const { image = '', ports = [], volumes = [], environment = {}, privileged = false } = service;
  const writable = volumes.filter((volume) => /^[./]/.test(volume) && !volume.endsWith(':ro'));
  const open = image.startsWith('caddy:') ? [] : ports.filter((port) => !port.startsWith('127.'));
  const written = Object.entries(environment).filter(
    ([name, value]) => SECRET.test(name) && !/\$\{\w+:\?\}/.test(value),
  );
  return [
    ...(privileged ? ['may do everything with this machine'] : []),
    ...writable.map((volume) => `may write to ${volume}`),
    ...open.map((port) => `opens ${port} to other machines`),
    ...written.map(([name]) => `has ${name} in the file`),
  ];
}

/** The variables that a file of them sets, without those in comments. */
export async function setIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name).sort();
}
