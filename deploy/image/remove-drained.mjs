#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/*
 * Deletes the workers of this image's version from Kubernetes, once the chart has others and Temporal says that no workflow
 * needs these any more.
 * Usage: remove-drained.mjs <name of their Deployment and CronJob> <ConfigMap that names the workers of the chart>
 *                           <URL of Kubernetes> <folder of the service account>
 */
const [name, configMap, kubernetes, account] = process.argv.slice(2);
const [namespace, token] = await Promise.all(
  ['namespace', 'token'].map((file) => readFile(path.join(account, file), 'utf8')),
);

async function call(method, group, kind, object) {
  const url = new URL(`/${group}/namespaces/${namespace}/${kind}/${object}`, kubernetes);
  // What an object has made goes with it.
  if (method === 'DELETE') url.searchParams.set('propagationPolicy', 'Background');
  const headers = { Authorization: `Bearer ${token}` };
  const reply = await fetch(url, { method, headers, signal: AbortSignal.timeout(10_000) });
  // Whatever is gone already need not be deleted.
  if (reply.ok || (method === 'DELETE' && reply.status === 404)) return reply.json();
  throw new Error(`${method} ${url.pathname} is answered with ${reply.status}`);
}

const status = execFileSync('holdpoint', ['activate', '--status'], { encoding: 'utf8' }).trim();
console.log(status);
if (status.endsWith(' drained')) {
  // A rollback may have brought these workers back, and not made them current yet.
  const { data } = await call('GET', 'api/v1', 'configmaps', configMap);
  if (data.current === name) {
    console.log(`${name} stays: the chart has these workers.`);
  } else {
    await call('DELETE', 'apis/apps/v1', 'deployments', name);
    console.log(`${name} is deleted.`);
    // It also ends this very job.
    await call('DELETE', 'apis/batch/v1', 'cronjobs', name);
  }
}
