import { setTimeout } from 'node:timers';
import { ApprovalClient, type JsonObject } from 'holdpoint-client';

/* What the process of an agent has around it: Holdpoint, the bank, and moments at which a test can kill it. */

const { HOLDPOINT_URL = '', HOLDPOINT_API_KEY = '', BANK_URL = '', HOLDER, HOLD_AT } = process.env;
const { LEASE_SECONDS = '60' } = process.env;
/** No test needs a process for longer. */
const MOST_MS = 180_000;

export function say(what: string, detail: unknown): void {
  process.stdout.write(`${what} ${JSON.stringify(detail)}\n`);
}

setTimeout(() => {
  say('crashed', 'It was never killed.');
  process.exit(1);
}, MOST_MS);

let moments = 0;
let isHeld = false;

/** Says that a moment is reached. After the one of HOLD_AT, by its number or name, nothing is sent any more. */
async function reached(name: string): Promise<void> {
  moments += 1;
  const holds = HOLD_AT === name || HOLD_AT === String(moments);
  if (!isHeld) say(holds ? 'held' : 'at', { name, moments });
  isHeld ||= holds;
  if (isHeld) await new Promise(() => undefined);
}

/** Sends a request. Just before and just after each one that changes something is a moment. */
async function send(name: string, url: string, init: RequestInit): Promise<Response> {
  if (init.method !== 'POST') return fetch(url, init);
  await reached(`before ${name}`);
  const reply = await fetch(url, init);
  await reached(`after ${name}`);
  return reply;
}

export const approvals = new ApprovalClient({
  baseUrl: HOLDPOINT_URL,
  apiKey: HOLDPOINT_API_KEY,
  holder: HOLDER,
  leaseSeconds: Number(LEASE_SECONDS),
  fetch: (url, init) => send(new URL(url).pathname.split('/').at(-1) ?? '', url, init),
});

/** Has the bank wire once for a key; resolves with the receipt. The bank has a ledger for each receiver. */
export async function transfer(wire: JsonObject, key: string): Promise<JsonObject> {
  const reply = await send('bank', `${BANK_URL}/${String(wire['to'])}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(wire),
  });
  return (await reply.json()) as JsonObject;
}
