import { setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ApprovalClient,
  ApprovalPending,
  HoldpointError,
  type JsonObject,
  type Redeemed,
} from '../../client/index.js';

/*
 * An agent without any framework: it asks, redeems, has the bank wire, and completes. It says how far it is, and stops at
 * the moment `HOLD_AT`, so that a test can kill it there.
 */

const { HOLDPOINT_URL = '', HOLDPOINT_API_KEY = '', BANK_URL = '', HOLDER, HOLD_AT } = process.env;
const POLL_MS = 100;

const approvals = new ApprovalClient({
  baseUrl: HOLDPOINT_URL,
  apiKey: HOLDPOINT_API_KEY,
  holder: HOLDER,
});
const proposed = { amount: 4_800, to: 'ACME' };

function say(what: string, detail?: unknown): void {
  const rest = detail === undefined ? '' : ` ${JSON.stringify(detail)}`;
  process.stdout.write(`${what}${rest}\n`);
}

async function reached(moment: string, detail?: unknown): Promise<void> {
  say(moment, detail);
  if (moment === HOLD_AT) await new Promise(() => setInterval(() => undefined, 60_000));
}

async function redeemed(key: string): Promise<Redeemed> {
  for (;;) {
    try {
      return await approvals.redeem(key, proposed);
    } catch (error) {
      if (!(error instanceof ApprovalPending)) throw error;
    }
    await pause(POLL_MS);
  }
}

async function wire(body: JsonObject, key: string): Promise<JsonObject> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const reply = await fetch(BANK_URL, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await reply.json()) as JsonObject;
}

async function run(): Promise<void> {
  const call = { run: 'wire-1', toolCallId: 'call-1', tool: 'wire', arguments: proposed };
  const { key, request_id } = await approvals.ask(call);
  await reached('asked', request_id);
  const { arguments: approved, approvers, idempotency_key, ...rest } = await redeemed(key);
  await reached('redeemed', { approved, approvers, idempotency_key });
  if (rest.completed_at === undefined) {
    const receipt = await wire(approved, idempotency_key);
    await reached('executed', receipt);
    await approvals.complete(key, receipt);
  }
  say('done', rest.result);
}

await run().catch((error: unknown) => {
  if (!(error instanceof HoldpointError)) throw error;
  say('refused', [error.status, error.code]);
});
