#!/usr/bin/env node
/*
 * Ends with 0 if the API or the worker of this container answers with 200, else with 1 and the reasons.
 * Usage: health.mjs [/health | /ready]
 */
const [path = '/health'] = process.argv.slice(2);
const { PORT = '4000', HOLDPOINT_WORKER_METRICS = '' } = process.env;
// A port, a host and a port, or `off`.
const workerPort = Number(HOLDPOINT_WORKER_METRICS.split(':').at(-1));

async function ask(port) {
  const url = `http://127.0.0.1:${port}${path}`;
  const reply = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch((error) => {
    throw new Error(`${url} does not answer: ${error.cause?.code ?? error.message}`);
  });
  if (!reply.ok) throw new Error(`${url} answers with ${reply.status}`);
}

try {
  // A container runs one of the two.
  await Promise.any([PORT, ...(workerPort ? [workerPort] : [])].map(ask));
} catch ({ errors }) {
  for (const { message } of errors) console.error(message);
  process.exitCode = 1;
}
