import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { installPinned } from '../support/virtual-env.js';
import { REQUIREMENTS } from './faults.js';
import type { Program } from './settings.js';

const RENDER = path.join(import.meta.dirname, 'chart.py');
const KUBERNETES = ['1.33', '1.34', '1.35', '1.36', '1.37'];
/** What `chart.py` renders, as if it were the seventh revision. */
export const REVISION = 7;

export type Labels = Readonly<Record<string, string>>;

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly ports?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
  };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface PodSpec {
  readonly containers: readonly [Container, ...Container[]];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly { readonly name: string }[];
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
}

export interface Template {
  readonly metadata: { readonly labels: Labels };
  readonly spec: PodSpec;
}

/** An object of Kubernetes, with what is looked at here. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Labels;
    readonly annotations?: Labels;
  };
  readonly data?: Labels;
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec: { readonly template: Template } };
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly ports?: readonly { readonly name: string; readonly targetPort: string }[];
    readonly endpoints?: readonly { readonly port: string }[];
    readonly jobLabel?: string;
    readonly scaleTargetRef?: { readonly name: string };
    readonly triggers?: readonly { readonly authenticationRef?: { readonly name: string } }[];
    readonly groups?: readonly unknown[];
  };
  readonly roleRef?: { readonly name: string };
}

interface Rendered {
  readonly faults: readonly string[];
  /** The objects, for each file of values in `ci`. */
  readonly cases: Readonly<Record<string, readonly Manifest[]>>;
}

/** What a chart gives to Kubernetes with its own examples of values, and what linters and schemas find in it. */
export async function rendered(chart: string): Promise<Rendered> {
  const python = await installPinned(REQUIREMENTS, 'python');
  const options = { maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(python, [RENDER, chart, ...KUBERNETES], options);
  return JSON.parse(stdout) as Rendered;
}

/** The pods that an object starts. */
export function templateOf({ spec }: Manifest): Template | undefined {
  return spec?.template ?? spec?.jobTemplate?.spec.template;
}

/** The object that runs a program. */
export function running(objects: readonly Manifest[], program: Program): Manifest | undefined {
  return objects.find((one) => {
    const [container] = templateOf(one)?.spec.containers ?? [];
    return container?.args?.[0] === program;
  });
}

/** The first container of an object. */
export function containerOf(one: Manifest | undefined): Container | undefined {
  return one && templateOf(one)?.spec.containers[0];
}
