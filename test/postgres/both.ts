/** Files of tests that run on PostgreSQL and on the embedded store, by what they reach in which the two can differ. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'notifications, and a feed that waits for transactions under way': [
    'test/api/e2e/subscribe.test.ts',
    'test/api/e2e/openintent-subscribe.test.ts',
    'test/api/e2e/subscriptions.test.ts',
    'test/activities/deliver-events.test.ts',
    'test/activities/wake-subscriptions.test.ts',
  ],
  'locks, and transactions beside each other': [
    'test/api/e2e/containers.test.ts',
    'test/api/e2e/checkpoints.test.ts',
    'test/api/e2e/contention.test.ts',
    'test/api/e2e/flood.test.ts',
    'test/api/e2e/session-streams.test.ts',
    'test/api/sessions/limits.test.ts',
  ],
  'statements over many tables': [
    'test/api/e2e/erasure.test.ts',
    'test/api/e2e/retention.test.ts',
    'test/api/e2e/reconcile.test.ts',
    'test/api/e2e/lost-workflows.test.ts',
    'test/workers/reconciliation.test.ts',
  ],
  'the order of texts, pages and the search': [
    'test/api/e2e/inbox.test.ts',
    'test/api/e2e/spaces.test.ts',
  ],
  'records and hashes, read back as they were written': [
    'test/api/e2e/event-log.test.ts',
    'test/api/e2e/approval-requests.test.ts',
    'test/api/e2e/settled-reads.test.ts',
  ],
  'reads over other connections than the write before them': ['test/api/e2e/answers.test.ts'],
};

/** Start an embedded store themselves, whatever the store of the run is. */
const EMBEDDED = ['test/store/database.test.ts', 'test/store/embedded-server.test.ts'];

/** All that `ALSO` names. */
export const NAMED: readonly string[] = Object.values(ALSO).flat();

/**
 * Whether a file of tests runs on both stores: every test of the store does, others where they are named. All others are about what
 * comes before or after the store: refusals, channels, wire shapes, Temporal, a worker or a server that is away.
 */
export function runsOnBoth(file: string): boolean {
  if (EMBEDDED.includes(file)) return false;
  return /^test\/store\/.*\.test\.ts$/.test(file) || NAMED.includes(file);
}
