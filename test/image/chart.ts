import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { ROOT, SECRET, VERSION, unknownIn } from './faults.js';
import {
  REVISION,
  containerOf,
  rendered,
  running,
  templateOf,
  type Container,
  type Labels,
  type Manifest,
  type PodSpec,
  type Probe,
} from './manifests.js';
import { settingFaults, type Environment, type Program } from './settings.js';

export const CHART = path.join(ROOT, 'deploy/helm/holdpoint');
const LEAST_GRACE = 30;

/** What is wrong with a chart: by Helm, by the schemas of Kubernetes, and by what our programs need. */
export async function chartFaults(chart: string): Promise<readonly string[]> {
  const { faults, cases } = await rendered(chart);
  const files = readdirSync(chart, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => /\.(?:yaml|tpl|md)$/.test(file));
  const names = texts.map((file) => readFileSync(path.join(chart, file), 'utf8')).join('\n');
  const ofCases = Object.entries(cases).flatMap(([name, objects]) =>
    caseFaults(name, objects, chart).map((fault) => `${name}: ${fault}`),
  );
  return [...faults, ...unknownIn(names), ...ofCases];
}

function caseFaults(name: string, objects: readonly Manifest[], chart: string): readonly string[] {
  // What cannot be rendered has its fault already.
  if (objects.length === 0) return [];
  const lasting = name === 'evaluation' ? [] : spareFaults(objects);
  return [
    ...settingFaults(environments(objects)),
    ...objects.flatMap((one) => podFaults(one).map((fault) => `${one.metadata.name} ${fault}`)),
    ...orderFaults(objects),
    ...versionFaults(objects),
    ...linkFaults(objects),
    ...fileFaults(objects, chart),
    ...lasting,
  ];
}

function environments(objects: readonly Manifest[]): Readonly<Record<Program, Environment>> {
  const envOf = (program: Program): Environment => {
    const env = containerOf(running(objects, program))?.env ?? [];
    return Object.fromEntries(
      env.map(({ name, value, valueFrom }) => {
        const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
        return [name, value ?? `${key} of ${secret}`];
      }),
    );
  };
  const [migrate, worker] = [envOf('migrate'), envOf('worker')];
  return { migrate, worker, activate: envOf('activate'), api: envOf('api') };
}

type Demand = readonly [isMet: boolean, fault: string];

function unmet(demands: readonly Demand[]): readonly string[] {
  return demands.filter(([isMet]) => !isMet).map(([, fault]) => fault);
}

/** What is wrong with the pods of an object. */
function podFaults(one: Manifest): readonly string[] {
  const spec = templateOf(one)?.spec;
  if (spec === undefined) return unmet([[one.kind !== 'Secret', 'has secrets in the chart']]);
  const { runAsNonRoot, runAsUser = 0, seccompProfile } = spec.securityContext ?? {};
  const needsKubernetes = one.kind === 'CronJob';
  return [
    ...unmet([
      [runAsNonRoot === true && runAsUser > 0, 'runs as root'],
      [seccompProfile?.type === 'RuntimeDefault', 'may make any system call'],
      [spec.automountServiceAccountToken === needsKubernetes, 'has a token, or none, by mistake'],
      [spec.enableServiceLinks === false, 'has variables of other services'],
    ]),
    ...[...(spec.initContainers ?? []), ...spec.containers].flatMap((container) => [
      ...containerFaults(container),
      ...lostFiles(container, spec),
    ]),
    ...(one.kind === 'Deployment' ? lastingFaults(spec) : []),
  ];
}

function containerFaults({ image, env = [], securityContext }: Container): readonly string[] {
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext ?? {};
  return unmet([
    [image.endsWith(`:${VERSION}`) || image.includes('@sha256:'), `has the image ${image}`],
    [readOnlyRootFilesystem === true, 'may write'],
    [allowPrivilegeEscalation === false, 'may gain privileges'],
    [isDeepStrictEqual(capabilities?.drop, ['ALL']), 'keeps capabilities'],
    ...env.map(({ name, value }): Demand => {
      const isSecret = SECRET.test(name) && !/_(?:FILE|PATH)$/.test(name);
      return [!isSecret || value === undefined, `has ${name} in the chart`];
    }),
  ]);
}

/** Files that a variable names, and no volume brings. */
function lostFiles({ env = [], volumeMounts = [] }: Container, { volumes = [] }: PodSpec) {
  const places = volumeMounts
    .filter((mount) => volumes.some(({ name }) => name === mount.name))
    .map(({ mountPath }) => `${mountPath}/`);
  return env
    .filter(({ value }) => value?.startsWith('/run/') === true)
    .filter(({ value }) => !places.some((place) => value?.startsWith(place) === true))
    .map(({ name }) => `has no file for ${name}`);
}

/** What is wrong with pods that run until they are stopped. */
function lastingFaults({ containers: [container], ...spec }: PodSpec): readonly string[] {
  const grace = spec.terminationGracePeriodSeconds ?? 0;
  const asks = (probe: Probe | undefined, page: string): boolean =>
    probe?.httpGet?.path === page &&
    container.ports?.some(({ name }) => name === probe.httpGet?.port) === true;
  return unmet([
    [grace >= LEAST_GRACE, `has ${grace} s to end`],
    [asks(container.startupProbe, '/health'), 'has no startup probe of /health'],
    [asks(container.livenessProbe, '/health'), 'has no liveness probe of /health'],
    [asks(container.readinessProbe, '/ready'), 'has no readiness probe of /ready'],
  ]);
}

/** What stands in the way of migrate, workers, activate and API in this order. */
function orderFaults(objects: readonly Manifest[]): readonly string[] {
  const [migrate, activate] = [running(objects, 'migrate'), running(objects, 'activate')];
  const api = running(objects, 'api');
  const needs = JSON.stringify(migrate).match(/"(?:serviceAccountName|configMap\w*)"/g) ?? [];
  const [first] = (api && templateOf(api)?.spec.initContainers) ?? [];
  const hookOf = (one: Manifest | undefined) => one?.metadata.annotations?.['helm.sh/hook'];
  return unmet([
    [hookOf(migrate) === 'pre-install,pre-upgrade', 'migrate does not come before all else'],
    [needs.length === 0, `migrate needs ${needs.join()} of the chart`],
    [hookOf(activate) === undefined, 'activate does not come with the workers'],
    [containerOf(activate)?.args?.join(' ') === 'activate --wait 600', 'activate does not wait'],
    [
      activate?.metadata.name.endsWith(`-${REVISION}`) === true,
      'activate does not run again in each revision',
    ],
    [first?.command?.join(' ').includes('activate --status') === true, 'the API does not wait'],
  ]);
}

/** What stands in the way of workers of two versions side by side, of which the older go in the end. */
function versionFaults(objects: readonly Manifest[]): readonly string[] {
  const worker = running(objects, 'worker');
  const version = worker?.metadata.labels['app.kubernetes.io/version'] ?? '';
  const name = `holdpoint-worker-${version}`;
  const kept = objects.filter(
    ({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep',
  );
  const cleanup = objects.find(({ kind }) => kind === 'CronJob');
  const { command = [], args = [] } = containerOf(cleanup) ?? {};
  const noted = objects.find((one) => one.metadata.name === args[1]);
  const selected = worker?.spec?.selector?.matchLabels?.['app.kubernetes.io/version'];
  return unmet([
    [worker?.metadata.name === name, 'the workers are not named by their version'],
    [selected === version, 'the workers of all versions are the same'],
    [
      isDeepStrictEqual(kept.map(({ kind }) => kind).sort(), ['CronJob', 'Deployment']),
      `not the workers and their clean-up are kept, but ${kept.map(({ kind }) => kind).join()}`,
    ],
    [command.join() === 'remove-drained.mjs' && args[0] === name, 'nobody removes the workers'],
    [cleanup?.metadata.name === name, 'the clean-up does not find itself'],
    [noted?.data?.['current'] === name, 'nobody notes which workers stay'],
  ]);
}

function has(labels: Labels, selector: Labels = {}): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

/** References that lead nowhere. */
function linkFaults(objects: readonly Manifest[]): readonly string[] {
  return objects
    .filter((one) => !leadsSomewhere(one, objects))
    .map(({ kind, metadata }) => `${kind} ${metadata.name} leads nowhere`);
}

function leadsSomewhere(one: Manifest, objects: readonly Manifest[]): boolean {
  return (SELECTS[one.kind]?.(one, objects) ?? true) && namesWhatIsThere(one, objects);
}

/** By kind, whether what an object selects is there. */
const SELECTS: Readonly<
  Record<string, (one: Manifest, objects: readonly Manifest[]) => boolean | undefined>
> = {
  Service: ({ spec }, objects) =>
    spec?.ports?.every(({ targetPort }) => runs(objects, spec.selector, targetPort)),
  ServiceMonitor: isScraped,
  PodDisruptionBudget: ({ spec }, objects) => runs(objects, spec?.selector?.matchLabels),
  NetworkPolicy: ({ spec }, objects) => runs(objects, spec?.podSelector?.matchLabels),
};

function namesWhatIsThere(one: Manifest, objects: readonly Manifest[]): boolean {
  const named = [
    ['Role', one.roleRef?.name],
    ['ServiceAccount', templateOf(one)?.spec.serviceAccountName],
    ['Deployment', one.spec?.scaleTargetRef?.name],
    ['TriggerAuthentication', one.spec?.triggers?.[0]?.authenticationRef?.name],
  ] as const;
  return named.every(
    ([kind, name]) =>
      name === undefined ||
      objects.some((other) => other.kind === kind && other.metadata.name === name),
  );
}

/** Whether there are pods with these labels, and with this port. */
function runs(objects: readonly Manifest[], selector: Labels | undefined, port?: string): boolean {
  const templates = objects.flatMap((one) => templateOf(one) ?? []);
  return templates.some(({ metadata, spec: { containers } }) => {
    const ports = containers[0].ports ?? [];
    const isOpen = port === undefined || ports.some(({ name }) => name === port);
    return isOpen && has(metadata.labels, selector);
  });
}

/** Whether a monitor finds a port of a Service, under a name of the job that the alerts know. */
function isScraped({ spec }: Manifest, objects: readonly Manifest[]): boolean {
  const services = objects.filter(({ kind }) => kind === 'Service');
  const service = services.find(({ metadata }) =>
    has(metadata.labels, spec?.selector?.matchLabels),
  );
  const job = service?.metadata.labels[spec?.jobLabel ?? ''];
  return service?.spec?.ports?.[0]?.name === spec?.endpoints?.[0]?.port && job === 'holdpoint';
}

/** Alerts and board have to be those of the files. */
function fileFaults(objects: readonly Manifest[], chart: string): readonly string[] {
  const read = (file: string) => readFileSync(path.join(chart, 'files', file), 'utf8');
  const alerts = objects.find(({ kind }) => kind === 'PrometheusRule');
  const board = objects.find(({ data }) => data?.['holdpoint.json'] !== undefined);
  const shown = board?.data?.['holdpoint.json'];
  return unmet([
    [!alerts || isDeepStrictEqual(alerts.spec, parse(read('alerts.yaml'))), 'has other alerts'],
    [
      shown === undefined || isDeepStrictEqual(JSON.parse(shown), JSON.parse(read('grafana.json'))),
      'has another board',
    ],
  ]);
}

/** Whether one pod may go. */
function spareFaults(objects: readonly Manifest[]): readonly string[] {
  const scaled = objects.map(({ spec }) => spec?.scaleTargetRef?.name);
  return (['worker', 'api'] as const).flatMap((program) => {
    const one = running(objects, program);
    const labels = (one && templateOf(one)?.metadata.labels) ?? {};
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
    const isBudgeted = budgets.some(({ spec }) => has(labels, spec?.selector?.matchLabels));
    return unmet([
      [isBudgeted, `all of ${program} may be evicted at once`],
      [
        (one?.spec?.replicas ?? 0) >= 2 || scaled.includes(one?.metadata.name),
        `${program} runs once`,
      ],
    ]);
  });
}
