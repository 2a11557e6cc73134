interface Poller {
  readonly lastAccessTime?: { readonly seconds?: unknown; readonly nanos?: number | null } | null;
  readonly deploymentOptions?: {
    readonly deploymentName?: string | null;
    readonly buildId?: string | null;
    readonly workerVersioningMode?: unknown;
  } | null;
}

/** A worker's poll lasts up to a minute; Temporal lists pollers for five. In milliseconds. */
export const FRESH_POLL_MS = 75_000;

/** `temporal.api.enums.v1.WorkerVersioningMode`. */
const VERSIONED = 2;

export function lastPoll({ lastAccessTime: at }: Poller): number {
  return Number(at?.seconds ?? 0) * 1_000 + (at?.nanos ?? 0) / 1_000_000;
}

/** Returns the deployment and build of the polling worker; undefined for an unversioned one. */
export function versionOfPoller({
  deploymentOptions: options,
}: Poller): { readonly deploymentName: string; readonly buildId: string } | undefined {
  if (Number(options?.workerVersioningMode) !== VERSIONED) return undefined;
  const { deploymentName, buildId } = options ?? {};
  return { deploymentName: deploymentName ?? '', buildId: buildId ?? '' };
}
