import { START, forAnyone, operations, storeRead } from './operation.js';

const STORE_READ = ['checkpoint_not_found', 'store_unavailable'] as const;

/** Signed checkpoints over all logs, for who audits them. */
export const LOGS = operations({
  requestCheckpoint: {
    resource: 'server',
    refusals: ['checkpoints_not_configured', ...START],
    run: forAnyone('requestCheckpoint'),
  },
  listCheckpoints: storeRead('server', forAnyone('listCheckpoints')),
  latestCheckpoint: {
    resource: 'server',
    refusals: STORE_READ,
    run: forAnyone('latestCheckpoint'),
  },
  /** With whole ids of questions. */
  exportLogs: { resource: 'server', refusals: STORE_READ, run: forAnyone('exportLogs') },
});
