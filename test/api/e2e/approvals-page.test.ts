import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import type { ApprovalClient } from '../../../client/index.js';
import type { ApprovalRequired } from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack, type KeyName } from '../../support/real-stack.js';
import { scriptOf } from '../../support/scripts.js';
import {
  requestIn,
  snippetWith,
  snippetsOf,
  writeModules,
  type Modules,
} from '../../support/snippets.js';

const REQUESTS = snippetsOf('docs/approvals.md', 'http');
const CODE = snippetsOf('docs/approvals.md', 'ts').filter((code) =>
  code.includes("from 'holdpoint-client'"),
);
const CLIENT = pathToFileURL(scriptOf('client/index.ts')).href;
/** The bank of the page makes a transfer once for a key. */
const BANK = `
export const transfers = new Map();
export async function transfer(wire, key) {
  if (!transfers.has(key)) transfers.set(key, wire);
  return { key };
}
`;

type Wire = { readonly to: string; readonly amount: number };

/** A wire that nobody decides on in time. */
const UNSEEN = { to: 'NOBODY', amount: 50 };
const BRIEF = {
  rules: [
    {
      tool: 'wire',
      arguments: { to: { equals: UNSEEN.to } },
      verdict: 'escalate',
      route: 'policy_pack',
      pack: 'brief',
    },
  ],
  packs: { brief: { stages: [{ name: 'team', tiers: [{ timeout_seconds: 1 }] }] } },
};

/** The modules that the page shows, and the bank. */
interface Shown {
  readonly approvals: ApprovalClient;
  readonly propose: (run: string, toolCallId: string, wire: Wire) => Promise<string>;
  readonly wire: (key: string, proposed: Wire) => Promise<unknown>;
  readonly goOn: (
    signal: AbortSignal,
    tell: (run: string, result: unknown) => void,
  ) => ReturnType<ApprovalClient['onDecided']>;
  readonly transfers: ReadonlyMap<string, JsonObject>;
}

describe('what the page shows over HTTP', () => {
  let stack: RealStack;
  let modules: Modules;
  let shown: Shown;
  before(async () => {
    stack = await RealStack.start({ approvals: BRIEF });
    const own = (mark: string) => snippetWith(CODE, mark).replaceAll('holdpoint-client', CLIENT);
    modules = await writeModules({
      bank: BANK,
      wire: own('async function wire('),
      back: own('function goOn('),
    });
    process.env['HOLDPOINT_URL'] = stack.url;
    process.env['AGENT_KEY'] = KEYS.agent.key;
    const load = async (name: string) =>
      (await import(pathToFileURL(path.join(modules.folder, `${name}.js`)).href)) as object;
    shown = { ...(await load('bank')), ...(await load('wire')), ...(await load('back')) } as Shown;
  });
  after(async () => {
    delete process.env['HOLDPOINT_URL'];
    delete process.env['AGENT_KEY'];
    await modules.remove();
    await stack.close();
  });

  /** Sends a request of the page. */
  async function send(mark: string, as: KeyName, values: Readonly<Record<string, string>>) {
    const { method, path: target, headers, body } = requestIn(snippetWith(REQUESTS, mark), values);
    assert.equal(method, 'POST');
    const reply = await stack.post(target, as, body, headers);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body as JsonObject;
  }

  /** The approval of a run, with what a person has to name. */
  async function asked(run: string): Promise<ApprovalView> {
    const page = `/v1/approvals?run_id=${run}`;
    const { approvals } = await readFresh<{ approvals: ApprovalView[] }>(stack, page, 'operator');
    const [approval] = approvals;
    return approval ?? assert.fail('no approval');
  }

  async function answer(mark: string, run: string): Promise<JsonObject> {
    const { suspension_id, proposal_hash } = await asked(run);
    const id = suspension_id ?? '';
    const reply = await send(mark, 'operator', { id, proposal_hash, call_id: 'call-1' });
    // The reply waits for the approval for 2 s only, which is too short on a machine that others keep busy.
    const isOver = async (): Promise<boolean> => (await asked(run)).status !== 'pending';
    await lookUntil(isOver, `the approval of ${run} is not over`);
    return reply;
  }

  const namesOf = (error: unknown) => (error as Error).name;

  it('is all sent and run here', () => {
    assert.deepEqual([REQUESTS.length, CODE.length], [4, 2]);
  });

  it('gates a tool off Temporal: it runs once a person has approved, and once', async () => {
    const wire = { to: 'ACME', amount: 500 };
    const key = await shown.propose('run-1', 'call-1', wire);
    assert.equal(await shown.propose('run-1', 'call-1', wire), key);
    assert.equal(await shown.wire(key, wire).catch(namesOf), 'ApprovalPending');
    await answer('Ship it.', 'run-1');
    const receipt = await shown.wire(key, wire);
    assert.deepEqual(await shown.wire(key, wire), receipt);
    assert.deepEqual([...shown.transfers.values()], [wire]);
    const changed = shown.wire(key, { ...wire, amount: 501 }).catch(namesOf);
    assert.equal(await changed, 'ProposalMutated');
  });

  it('runs what an approver has put in the place of the arguments', async () => {
    const wire = { to: 'EVIL', amount: 900 };
    const key = await shown.propose('run-2', 'call-1', wire);
    await answer('"edits"', 'run-2');
    await shown.wire(key, wire);
    assert.deepEqual([...shown.transfers.values()].at(-1), { amount: 100, to: 'ACME' });
  });

  it('brings a run back whose agent is gone, with a yes, with a no, and where nobody decided', async () => {
    const told = new Map<string, unknown>();
    await shown.propose('run-3', 'call-1', { to: 'ACME', amount: 30 });
    await shown.propose('run-4', 'call-1', { to: 'ACME', amount: 40 });
    await shown.propose('run-6', 'call-1', UNSEEN);
    await answer('Ship it.', 'run-3');
    const { suspension_id, proposal_hash } = await asked('run-4');
    const no = { value: 'rejected', proposal_hash, comment: 'Too much.' };
    await stack.post(`/v1/suspensions/${suspension_id}/respond`, 'operator', no);
    const stop = new AbortController();
    const { ended } = shown.goOn(stop.signal, (run, result) => told.set(run, result));
    await lookUntil(
      async () => ['run-3', 'run-4', 'run-6'].every((run) => told.has(run)),
      'not all are back',
    );
    stop.abort();
    await ended;
    assert.match(JSON.stringify(told.get('run-3')), /key/);
    assert.match(String(told.get('run-4')), /REJECTED by human reviewer.*Too much\./);
    assert.match(String(told.get('run-6')), /NOT APPROVED, because nobody decided in time/);
  });

  it('lets the user decide for whom the agent acts', async () => {
    const call = { id: 'call-1', tool: 'order', arguments: { item: 'tea' } };
    const body = { run_id: 'run-5', decider: 'ursula', calls: [call] };
    const opened = await stack.post('/v1/approvals', 'agent', body);
    const { request_id } = opened.body as ApprovalRequired;
    const reply = await send('That is my order.', 'user', { request_id });
    assert.equal(reply['status'], 'approved');
  });

  it('resumes a pause', async () => {
    const pause = { reason: 'rate_limit', resume_signal: 'rate_limit_cleared' };
    const opened = await stack.post('/v1/suspensions', 'agent', pause);
    const { id } = opened.body as { id: string };
    const reply = await send('"rate_limit_cleared"', 'agent', { id });
    assert.deepEqual(reply['value'], { remaining: 500 });
  });
});
