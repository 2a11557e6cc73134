import type { Logger } from 'pino';
import { demandPackage } from '../optional-package.js';
import { StartupError, type Environment } from '../program.js';
import type { Tracing } from './tracing.js';

/**
 * Returns the endpoint for traces: `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` as it is, else `/v1/traces` under
 * `OTEL_EXPORTER_OTLP_ENDPOINT`. Undefined if neither is set, or if the standard's variables switch traces off.
 *
 * @throws StartupError if a setting cannot be used, or the packages for traces are not installed
 */
export function traceEndpointOf(env: Environment): string | undefined {
  const [setting, text] = endpointSetting(env);
  if (text === undefined || isOff(env)) return undefined;
  demandOneOf(env, 'OTEL_TRACES_EXPORTER', 'otlp');
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    if (isSet(env[name])) {
      demandOneOf(env, name, 'http/json');
      break;
    }
  }
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new StartupError(`${setting} is "${text}": it must be a URL with http or https.`);
  }
  demandPackage('@opentelemetry/exporter-trace-otlp-http', `Tracing (${setting})`);
  return setting === FOR_TRACES ? text : `${text.replace(/\/$/, '')}/v1/traces`;
}

const FOR_TRACES = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const FOR_ALL = 'OTEL_EXPORTER_OTLP_ENDPOINT';

function endpointSetting(env: Environment): readonly [setting: string, text: string | undefined] {
  const setting = isSet(env[FOR_TRACES]) ? FOR_TRACES : FOR_ALL;
  const text = env[setting];
  return [setting, isSet(text) ? text : undefined];
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function isOff(env: Environment): boolean {
  return (
    env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none'
  );
}

function demandOneOf(env: Environment, name: string, only: string): void {
  const text = env[name];
  if (!isSet(text) || text === only) return;
  throw new StartupError(`${name} is "${text}": Holdpoint sends traces by ${only} only.`);
}

/**
 * Starts tracing if an endpoint is set; see `traceEndpointOf`. Without one OpenTelemetry is not loaded.
 *
 * @param service - the name of the process, unless `OTEL_SERVICE_NAME` gives another
 * @throws StartupError if a setting cannot be used
 */
export async function startTracing(
  env: Environment,
  service: string,
  log: Pick<Logger, 'warn' | 'info'>,
): Promise<Tracing | undefined> {
  const endpoint = traceEndpointOf(env);
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./otlp.js');
  return createTracing(endpoint, service, log);
}
