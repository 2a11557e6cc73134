import { DefaultLogger, type LogEntry, type Logger, type RuntimeOptions } from '@temporalio/worker';
import type { Logger as PinoLogger } from 'pino';
import { shortened } from '../domain/kernel/text.js';
import { traceOf } from '../runtime/program.js';
import { defined } from '../contracts/constants/defined.js';

export interface Log {
  warn(fields: object, message: string): void;
}

/** Fields that are on every line and that nobody reads. */
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

/** Hides what must not be logged: the id of a suspension is half of what an answer needs, and an error may quote data. */
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

/** Logs the warnings and errors of SDK, workflows and activities, without messages of errors and with shortened ids of suspensions. */
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

/** The address of the SDK's metrics; undefined if there is none. */
export type SdkMetrics = NonNullable<RuntimeOptions['telemetryOptions']>['metrics'] | undefined;

export function runtimeTelemetry(
  log: PinoLogger,
  metrics?: SdkMetrics,
): Pick<RuntimeOptions, 'logger' | 'telemetryOptions'> {
  const logging = { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } as const;
  return {
    logger: temporalLogger(log),
    telemetryOptions: { logging, ...defined({ metrics }) },
  };
}
