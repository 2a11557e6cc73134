import type { WorkerOptions } from '@temporalio/worker';

/**
 * How a worker polls and caches, as measured (design §9): many pollers because a suspension is many
 * short tasks, a short sticky timeout so that a dead worker's tasks move on within a second, and a bounded
 * cache because a waiting workflow needs no memory.
 */
export const WORKER_TUNING = {
  maxConcurrentWorkflowTaskPolls: 40,
  maxConcurrentWorkflowTaskExecutions: 200,
  maxConcurrentActivityTaskPolls: 10,
  maxConcurrentActivityTaskExecutions: 100,
  nonStickyToStickyPollRatio: 0.5,
  stickyQueueScheduleToStartTimeout: '1s',
  maxCachedWorkflows: 300,
  shutdownGraceTime: '5s',
} as const satisfies Partial<WorkerOptions>;

/** Deliveries to subscriptions mostly wait for events, one for each subscription. */
export const FEED_TUNING = {
  maxConcurrentActivityTaskExecutions: 2_000,
  maxConcurrentActivityTaskPolls: 2,
  maxHeartbeatThrottleInterval: '2s',
  shutdownGraceTime: '1s',
} as const satisfies Partial<WorkerOptions>;
