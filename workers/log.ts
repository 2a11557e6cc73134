import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry, Logger, RuntimeOptions } from '@temporalio/worker';
import type { Logger as PinoLogger } from 'pino';
import { shortened } from '../domain/kernel/text.js';
import { traceOf } from '../runtime/program.js';

/** Where parts of a worker log; pino's loggers fit. */
export interface Log {
  warn(fields: object, message: string): void;
}

/** Names of the same worker or task on every line, which nobody reads. */
const NOISE = new Set(['sdkComponent', 'taskQueue', 'namespace', 'taskToken', 'isLocal']);
/** The SDK's warning about the worker that delivers events: it needs no workflows. */
const EXPECTED_WARNING = 'No workflows registered, not polling for workflow tasks';
const SUSPENSION = /(suspension-)?([0-9a-f]{8}-[0-9a-f-]{27})/;

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

/** A suspension's id is half of what an answer needs, and an error may quote what it failed on. */
function safe(name: string, value: unknown): unknown {
  if (value instanceof Error) return traceOf(value);
  if (typeof value !== 'string') return value;
  const isSuspension = name === 'suspension_id' || value.startsWith('suspension-');
  if (!isSuspension) return value;
  return value.replace(
    SUSPENSION,
    (_all, prefix: string | undefined, id: string) => `${prefix ?? ''}${shortened(id)}`,
  );
}

/**
 * What the SDK, its native core, workflows and activities log, as JSON lines of `log`: warnings and
 * errors, without the message of an error, with the id of a suspension shortened.
 */
export function temporalLogger(log: PinoLogger): Logger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
    if (message === EXPECTED_WARNING) return;
    const entries = Object.entries(meta ?? {});
    const kept = entries.filter(([name]) => !NOISE.has(name));
    log[LEVELS[level]](
      Object.fromEntries(kept.map(([name, value]) => [name, safe(name, value)])),
      message,
    );
  });
}

/** Where the SDK shows its metrics; undefined if nowhere. */
export type SdkMetrics = NonNullable<RuntimeOptions['telemetryOptions']>['metrics'] | undefined;

/** What of the SDK and its native core goes to which log, and to whoever reads metrics, for `Runtime.install`. */
export function runtimeTelemetry(
  log: PinoLogger,
  metrics?: SdkMetrics,
): Pick<RuntimeOptions, 'logger' | 'telemetryOptions'> {
  const logging = { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } as const;
  return {
    logger: temporalLogger(log),
    telemetryOptions: { logging, ...(metrics && { metrics }) },
  };
}
