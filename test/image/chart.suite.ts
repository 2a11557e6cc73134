import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { withFolder } from '../support/temp-folder.js';
import { CHART, chartFaults } from './chart.js';
import { VERSION, mistaken } from './faults.js';
import { rendered } from './manifests.js';

/** The kinds that only some values bring, so that each of them is looked at in at least one case. */
const OPTIONAL_KINDS = [
  'HorizontalPodAutoscaler',
  'NetworkPolicy',
  'PrometheusRule',
  'ScaledObject',
  'ServiceMonitor',
  'TriggerAuthentication',
];

const HELPERS = 'templates/_helpers.tpl';
const WORKER = 'templates/worker.yaml';
const API = 'templates/api.yaml';
const ACTIVATE = 'templates/activate.yaml';
const CLEANUP = 'templates/cleanup.yaml';
const MONITORING = 'templates/monitoring.yaml';
const IN_CLUSTER = 'ci/in-cluster-values.yaml';
const CLOUD = 'ci/cloud-api-key-values.yaml';

type Mistake = readonly [
  what: string,
  file: string,
  change: readonly [right: string, wrong: string],
  fault: RegExp,
];

const IN_TEMPLATES: readonly Mistake[] = [
  [
    'a wrong variable',
    WORKER,
    ['HOLDPOINT_WORKER_METRICS', 'HOLDPOINT_WORKER_METRIC'],
    /^HOLDPOINT_WORKER_METRIC is no setting/,
  ],
  [
    'a setting left out',
    API,
    ['"HOLDPOINT_ID_SECRETS" ', ''],
    /^mtls: api lacks HOLDPOINT_ID_SECRETS/,
  ],
  [
    'a setting for the wrong program',
    WORKER,
    ['HOLDPOINT_CHECKPOINT_KEY', 'HOLDPOINT_STATE_KEYS'],
    /worker has HOLDPOINT_STATE_KEYS, which it does not need/,
  ],
  [
    'a secret in a template',
    HELPERS,
    ['- name: HOLDPOINT_PUBLIC_URL', '- name: TEMPORAL_API_KEY\n  value: abc\n- name: X'],
    /holdpoint-api has TEMPORAL_API_KEY in the chart/,
  ],
  [
    'a missing probe',
    HELPERS,
    ['readinessProbe:', 'lifecycle:\n  postStart:'],
    /holdpoint-api has no readiness probe of \/ready/,
  ],
  [
    'a probe of a page that there is not',
    HELPERS,
    ['path: /health', 'path: /healthz'],
    /holdpoint-worker-0-1-0 has no liveness probe of \/health/,
  ],
  [
    'a grace period of 10 s',
    HELPERS,
    ['GracePeriodSeconds: 30', 'GracePeriodSeconds: 10'],
    /holdpoint-api has 10 s to end/,
  ],
  ['root', HELPERS, ['runAsUser: 1000', 'runAsUser: 0'], /holdpoint-migrate runs as root/],
  [
    'a root that can be written',
    HELPERS,
    ['  readOnlyRootFilesystem: true\n', ''],
    /holdpoint-api may write/,
  ],
  ['capabilities', HELPERS, ['drop: [ALL]', 'drop: []'], /holdpoint-api keeps capabilities/],
  [
    'a token of Kubernetes in the API',
    API,
    ['automountServiceAccountToken: false', 'automountServiceAccountToken: true'],
    /holdpoint-api has a token, or none, by mistake/,
  ],
  [
    'activate before the rollout',
    ACTIVATE,
    [
      'spec:\n  backoffLimit',
      '  annotations: { helm.sh/hook: pre-upgrade }\nspec:\n  backoffLimit',
    ],
    /activate does not come with the workers/,
  ],
  [
    'an activate that runs only once',
    HELPERS,
    ['-{{ .Release.Revision }}', ''],
    /activate does not run again in each revision/,
  ],
  [
    'an API before its workers',
    API,
    ['activate --status', 'activate --build x'],
    /the API does not wait/,
  ],
  [
    'a migration after the workers',
    'templates/migrate.yaml',
    ['pre-install,pre-upgrade', 'post-install,post-upgrade'],
    /migrate does not come before all else/,
  ],
  [
    'a migration that needs an account of the chart',
    'templates/migrate.yaml',
    ['restartPolicy: Never', 'restartPolicy: Never\n      serviceAccountName: holdpoint-cleanup'],
    /migrate needs "serviceAccountName" of the chart/,
  ],
  [
    'workers that an upgrade replaces',
    WORKER,
    ['helm.sh/resource-policy: keep', 'helm.sh/resource-policy: none'],
    /not the workers and their clean-up are kept, but CronJob/,
  ],
  [
    'workers of all versions under one name',
    HELPERS,
    ['printf "%s-worker-%s" .Release.Name (include "holdpoint.version" .)', '"holdpoint-worker"'],
    /the workers are not named by their version/,
  ],
  [
    'a clean-up of the workers that stay',
    CLEANUP,
    ['current: {{ $name }}', 'current: {{ .Release.Name }}'],
    /nobody notes which workers stay/,
  ],
  [
    'an old version of an API of Kubernetes',
    CLEANUP,
    ['batch/v1', 'batch/v1beta1'],
    /there is no schema of batch\/v1beta1 CronJob in Kubernetes 1\.33/,
  ],
  [
    'a key of Temporal that no volume brings',
    HELPERS,
    ['set $secrets "temporal-key"', 'set $secrets "temporal-keys"'],
    /holdpoint-api has no file for HOLDPOINT_TEMPORAL_API_KEY_FILE/,
  ],
  [
    'a field that Kubernetes does not know',
    API,
    ['rollingUpdate:', 'rollingUpdates:'],
    /Deployment holdpoint-api: spec\.strategy: .*'rollingUpdates' was unexpected/,
  ],
  [
    'a field that the Prometheus operator does not know',
    MONITORING,
    ['interval: {{', 'every: {{'],
    /ServiceMonitor holdpoint: spec\.endpoints\.0: .*'every' was unexpected/,
  ],
  [
    'a kind that nobody has looked at',
    MONITORING,
    ['kind: ServiceMonitor', 'kind: PodMonitor'],
    /there is no schema of monitoring\.coreos\.com\/v1 PodMonitor/,
  ],
  [
    'a port that no pod has',
    API,
    ['targetPort: http', 'targetPort: web'],
    /Service holdpoint-api leads nowhere/,
  ],
  [
    'a job that the alerts do not know',
    MONITORING,
    ['jobLabel: app.kubernetes.io/name', 'jobLabel: app.kubernetes.io/component'],
    /ServiceMonitor holdpoint leads nowhere/,
  ],
  [
    'a version for KEDA without its name',
    'templates/keda.yaml',
    ['        workerDeploymentName: holdpoint\n', ''],
    /'workerDeploymentName' is a dependency of 'workerDeploymentBuildId'/,
  ],
];

const IN_VALUES: readonly Mistake[] = [
  ['no Secret', CLOUD, ['existingSecret: holdpoint\n', ''], /cloud-api-key: .*existingSecret/s],
  [
    'a secret in values',
    IN_CLUSTER,
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'SLACK_TOKEN'],
    /in-cluster: .*SLACK_TOKEN/s,
  ],
  [
    'an unknown value',
    CLOUD,
    ['apiKeySecret:', 'apiKeysSecret:'],
    /cloud-api-key: .*apiKeysSecret/s,
  ],
  ['an address without a port', CLOUD, [':7233', ''], /cloud-api-key: .*address/s],
  [
    'KEDA without a build id',
    CLOUD,
    [', buildId: 0.1.0-4f6e511de359', ''],
    /cloud-api-key: .*buildId/s,
  ],
  [
    'both ways to scale',
    CLOUD,
    ['keda:', 'autoscaling: { enabled: true }\n  keda:'],
    /cloud-api-key: .*worker/s,
  ],
  [
    'one worker',
    CLOUD,
    ['keda: { enabled: true', 'replicas: 1\n  keda: { enabled: false'],
    /worker runs once/,
  ],
];

describe('the Helm chart', function () {
  this.timeout(300_000);
  let folder = '';
  withFolder((made) => (folder = made));

  it('has no fault with any of its examples', async () => {
    assert.deepEqual(await chartFaults(CHART), []);
  });

  it('shows all that it can do in its examples', async () => {
    const { cases } = await rendered(CHART);
    assert.equal(Object.keys(cases).length, 5);
    const kinds = new Set(
      Object.values(cases).flatMap((objects) => objects.map((one) => one.kind)),
    );
    assert.deepEqual(
      OPTIONAL_KINDS.filter((kind) => !kinds.has(kind)),
      [],
    );
  });

  it('has the version of the packages', async () => {
    const { version, appVersion } = parse(
      await readFile(path.join(CHART, 'Chart.yaml'), 'utf8'),
    ) as Readonly<Record<'version' | 'appVersion', string>>;
    assert.deepEqual([version, appVersion], [VERSION, VERSION]);
  });

  for (const [what, file, change, fault] of [...IN_TEMPLATES, ...IN_VALUES]) {
    it(`is refused with ${what}`, async () => {
      await cp(CHART, folder, { recursive: true });
      const text = await readFile(path.join(folder, file), 'utf8');
      await writeFile(path.join(folder, file), mistaken(text, change));
      const faults = await chartFaults(folder);
      assert.ok(
        faults.some((line) => fault.test(line)),
        faults.join('\n'),
      );
    });
  }
});
