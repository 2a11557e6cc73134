import { setTimeout as pause } from 'node:timers/promises';
import { ApprovalClient, ApprovalError, ApprovalPending } from 'holdpoint-client';
import type { JsonObject } from '../contracts/kernel/primitives.js';

/*
 * An agent in any framework, which wires money: it asks before, and its tool redeems what was approved. Kill it at any
 * moment and start it again: it finds its request by the call, and the bank makes the transfer once.
 */

const { HOLDPOINT_URL, HOLDPOINT_API_KEY, WIRE_RUN, WIRE_AMOUNT, WIRE_TO, WIRE_FOR, BANK_URL } =
  process.env;
const POLL_MS = 500;

const run = WIRE_RUN ?? 'wire-1';
const approvals = new ApprovalClient({
  baseUrl: HOLDPOINT_URL ?? 'http://127.0.0.1:4000',
  apiKey: HOLDPOINT_API_KEY ?? '',
  holder: run,
});
const proposed = { amount: Number(WIRE_AMOUNT ?? '4800'), to: WIRE_TO ?? 'ACME' };
/** What the tool takes. An approver may change the arguments, and not to anything else. */
const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    amount: { type: 'number', exclusiveMinimum: 0 },
    to: { type: 'string', minLength: 1 },
  },
  required: ['amount', 'to'],
  additionalProperties: false,
};

/** The tool. What gates it is `redeem`: without that, it would wire whatever it is told. */
async function wire(key: string): Promise<JsonObject> {
  const call = await approvals.redeem(key, proposed, 'wire');
  if (call.completed_at === undefined) {
    await approvals.complete(key, await transfer(call.arguments, call.idempotency_key));
  }
  return call.arguments;
}

/** The bank makes one transfer for a key, however often it is asked. */
async function transfer(body: JsonObject, key: string): Promise<JsonObject> {
  const reply = await fetch(BANK_URL ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`The bank answered ${reply.status}.`);
  return (await reply.json()) as JsonObject;
}

async function wireOnceDecided(key: string): Promise<string> {
  for (;;) {
    try {
      const { amount } = await wire(key);
      return `wired ${JSON.stringify(amount)}`;
    } catch (error) {
      if (!(error instanceof ApprovalError)) throw error;
      if (!(error instanceof ApprovalPending)) return error.name;
    }
    await pause(POLL_MS);
  }
}

const { key, request_id } = await approvals.ask({
  run,
  toolCallId: 'call-1',
  tool: 'wire',
  arguments: proposed,
  inputSchema: SCHEMA,
  request: {
    prompt: `Wire ${proposed.amount} to ${proposed.to}?`,
    ...(WIRE_FOR !== undefined && { decider: WIRE_FOR }),
  },
});
process.stdout.write(`asked: ${request_id}\n`);
process.stdout.write(`result: ${await wireOnceDecided(key)}\n`);
