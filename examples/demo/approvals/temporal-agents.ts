import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { spawnAgent } from '../agent-process.js';
import { Difference } from '../compliance/checker.js';
import { AGENT_QUEUE } from './agent/queue.js';
import type { Call, release, turn } from './agent/workflows.js';
import { Reader, eventually, must } from './checks.js';
import { TIER_SECONDS, keyOfPrincipal } from './story.js';
import { earliness } from '../lateness.js';
import { Voters } from './voters.js';
import type { Scene } from './wire.js';

/** What the parts below work with: agents that are workflows, in a worker of their own. */
interface Stage extends Scene {
  readonly temporal: Client;
  readonly reader: Reader;
  readonly voters: Voters;
}

/** A deployment, a turn with three calls, and a payout. Throws Difference for the first thing that is not as planned. */
export async function playTemporalAgents(scene: Scene): Promise<void> {
  const { temporalAddress, apiUrl } = scene.stack;
  const worker = spawnAgent('demo/approvals/agent/worker.ts', {
    TEMPORAL_ADDRESS: temporalAddress,
  });
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    await Promise.race([once(worker.lines, 'line'), worker.ended]);
    const stage = {
      ...scene,
      temporal: new Client({ connection }),
      reader: new Reader(apiUrl, keyOfPrincipal('alice')),
      voters: new Voters(apiUrl),
    };
    await Promise.race([playAll(stage), worker.ended]);
  } finally {
    worker.kill();
    await connection.close();
  }
}

async function playAll(stage: Stage): Promise<void> {
  await playDeployment(stage);
  await playTurn(stage);
  await playPayout(stage);
}

async function playDeployment(stage: Stage): Promise<void> {
  const { temporal, reader, voters, tell, signal, stack } = stage;
  tell.from('deploy', Date.now());
  const flow = await temporal.workflow.start<typeof release>('release', {
    workflowId: 'release-1',
    taskQueue: AGENT_QUEUE,
    args: ['4f2a'],
  });
  const question = await eventually('the flow asks', signal, async () => {
    const { suspensions } = await reader.api.get<{
      readonly suspensions: readonly SuspensionView[];
    }>('/suspensions?text=production');
    const [found] = suspensions;
    if (found === undefined) throw new Error('no question is open');
    return found;
  });
  must('the question', question.record.question, 'Deploy v-4f2a to production?');
  tell.line('deploy', 'the flow has built v-4f2a and asks: deploy it to production?');
  await tell.kill(stack);
  await voters.answer('bob', question.id, 'approved');
  must('how the flow ends', await flow.result(), 'done');
  tell.line('deploy', 'bob approves; the flow deploys and is done');
}

const CALLS: readonly Call[] = [
  { id: 'call-1', name: 'pay_invoice', arguments: { invoice: 'R-17', amount: 900 } },
  { id: 'call-2', name: 'read_balance', arguments: { account: 'DE-1' } },
  { id: 'call-3', name: 'delete_account', arguments: { account: 'DE-1' } },
];

async function playTurn({ temporal, reader, voters, tell, signal }: Stage): Promise<void> {
  tell.from('turn', Date.now());
  const run = await temporal.workflow.start<typeof turn>('turn', {
    workflowId: 'turn-1',
    taskQueue: AGENT_QUEUE,
    args: [CALLS],
  });
  const [pays, deletes] = await Promise.all(
    ['pay_invoice', 'delete_account'].map((tool) => approvalOf(reader, 'turn-1', tool, signal)),
  );
  if (pays === undefined || deletes === undefined)
    throw new Difference('a call is not asked about');
  tell.line('turn', 'read_balance runs at once; pay_invoice and delete_account wait');
  const edited = { invoice: 'R-17', amount: 850 };
  await voters.vote('alice', pays, { value: 'approved', edited });
  tell.line('turn', 'alice approves pay_invoice, with 850 in place of 900');
  await voters.vote('bob', deletes, { value: 'rejected', comment: 'Not this one.' });
  tell.line('turn', 'bob rejects delete_account: Not this one.');
  const [paid = '', balance = '', deleted = ''] = await run.result();
  if (!paid.includes('paid 850')) throw new Difference(`the model gets for pay_invoice: ${paid}`);
  must('what the model gets for read_balance', balance, 'balance of DE-1: 12000');
  must(
    'what the model gets for delete_account',
    deleted,
    'Tool result for "delete_account": REJECTED by human reviewer. Reason: "Not this one."\nChoose a different approach.',
  );
  tell.line('turn', 'the model gets three results in the order of its calls');
}

async function playPayout({ temporal, reader, voters, tell, signal, late }: Stage): Promise<void> {
  const run = await temporal.workflow.start<typeof turn>('turn', {
    workflowId: 'payout-1',
    taskQueue: AGENT_QUEUE,
    args: [[{ id: 'call-1', name: 'payout', arguments: { amount: 50_000 } }]],
  });
  const team = await approvalOf(reader, 'payout-1', 'payout', signal);
  const asked = await suspendedAt(reader, team, signal);
  tell.from('payout', asked);
  tell.line('payout', 'the team is asked, and does not react', 0);
  const leads = await reader.asked(team.approval_id, signal, team.suspension_id ?? '');
  must('the tier', [leads.stage, leads.tier], [0, 1]);
  const lateMs = (await suspendedAt(reader, leads, signal)) - asked - TIER_SECONDS * 1_000;
  const early = earliness('the second tier', lateMs);
  if (early !== undefined) throw new Difference(early);
  late.see('the second tier', lateMs);
  tell.line('payout', 'its leads are asked', TIER_SECONDS * 1_000);
  await voters.refused('alice', leads, { value: 'approved' }, 'not_eligible');
  await voters.vote('tina', leads, { value: 'approved' });
  const treasurer = await reader.asked(team.approval_id, signal, leads.suspension_id ?? '');
  must('the stage', [treasurer.stage, treasurer.tier], [1, 0]);
  tell.line('payout', 'a lead approves; the treasurer is asked');
  await voters.vote('tina', treasurer, { value: 'approved' });
  must('what the model gets', await run.result(), ['paid 50000']);
  await reader.checkLog(
    'payout-1',
    [
      ['approval_requested', { route: 'policy_pack', risk_class: 'critical' }],
      ['approval_vote', { principal: 'tina', stage: 0, tier: 1 }],
      ['approval_vote', { principal: 'tina', stage: 1, tier: 0 }],
      ['approval_resolved', { status: 'approved' }],
    ],
    signal,
  );
  tell.line('payout', 'the treasurer approves; 50000 are paid; the chain of the log verifies');
}

/** When a tier was asked. An approval names its question just before that starts. */
async function suspendedAt(
  { api }: Reader,
  { suspension_id }: ApprovalView,
  signal: AbortSignal,
): Promise<number> {
  return eventually('the question of the tier', signal, async () => {
    const { record } = await api.get<SuspensionView>(`/suspensions/${suspension_id}`);
    return Date.parse(record.suspended_at);
  });
}

/** The approval of a run that is open for a tool. */
async function approvalOf(
  reader: Reader,
  runId: string,
  tool: string,
  signal: AbortSignal,
): Promise<ApprovalView> {
  return eventually(`the approval of ${tool}`, signal, async () => {
    const { approvals } = await reader.api.get<{ readonly approvals: readonly ApprovalView[] }>(
      `/approvals?run_id=${runId}`,
    );
    const found = approvals.find(
      ({ proposal, suspension_id }) =>
        suspension_id !== null && proposal.calls.some((call) => call.tool === tool),
    );
    if (found === undefined) throw new Error('there is none yet');
    return found;
  });
}
