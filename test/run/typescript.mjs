import { isMainThread } from 'node:worker_threads';

/*
 * Lets mocha load TypeScript. The threads in which Temporal's workers run workflows inherit this import, and
 * load a bundle: without tsx each starts in two thirds of the time.
 */
if (isMainThread) await import('tsx');
