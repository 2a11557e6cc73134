import { isMainThread } from 'node:worker_threads';

/*
 * Lets mocha load TypeScript. Beside this, `.mocharc.json` turns `require` of ECMAScript modules off, so that mocha imports
 * every file: modules that it required and imported would be there twice, each with its own variables.
 * The threads in which Temporal's workers run workflows inherit this import, and load a bundle: without tsx each
 * starts in two thirds of the time.
 */
if (isMainThread) await import('tsx');
