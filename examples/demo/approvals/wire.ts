import { setTimeout as pause } from 'node:timers/promises';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { Stack } from '../../../service/stack.js';
import { spawnAgent, type SpawnedAgent } from '../agent-process.js';
import { Difference } from '../compliance/checker.js';
import { openBank } from './bank.js';
import { Reader, eventually, must } from './checks.js';
import { alterProposal } from './tamper.js';
import { Voters } from './voters.js';
import { REMINDER_SECONDS, WIRE_AGENT, keyOfPrincipal } from './story.js';
import { earliness, type Lateness } from '../lateness.js';
import type { Teller } from './teller.js';

/** Everything a part of the story works with. */
export interface Scene {
  readonly stack: Stack;
  readonly tell: Teller;
  readonly signal: AbortSignal;
  readonly late: Lateness;
}

/**
 * A wire of 4,800 under `dual_approval`: refused to its proposer, approved once, edited to 4,500, approved twice, and wired
 * once; then a wire whose stored proposal somebody changes. Throws Difference for the first thing that is not as planned.
 */
export async function playWire(scene: Scene): Promise<void> {
  const bank = await openBank();
  try {
    await wireWithEdit(scene, bank);
    await wireThatWasChanged(scene, bank);
  } finally {
    bank.close();
  }
}

type OpenBank = Awaited<ReturnType<typeof openBank>>;

async function wireWithEdit({ stack, tell, signal, late }: Scene, bank: OpenBank): Promise<void> {
  const reader = new Reader(stack.apiUrl, keyOfPrincipal('alice'));
  const voters = new Voters(stack.apiUrl);
  const agent = startWireAgent(stack, bank, 'wire-1', '4800');
  try {
    const { approvalId } = await agent.asked;
    const first = await reader.asked(approvalId, signal);
    const from = Date.parse(first.created_at);
    tell.from('wire', from);
    tell.line('wire', `${WIRE_AGENT} proposes to wire 4800, for carol`, 0);
    await voters.refused('carol', first, { value: 'approved' }, 'not_eligible');
    tell.line('wire', 'carol, for whom it acts, is refused: not_eligible');
    const counted = await voters.vote('alice', first, { value: 'approved' });
    must('approvals after the first', [counted.approvals, counted.required], [1, 2]);
    tell.line('wire', 'alice approves 4800: 1 of 2');
    await tell.kill(stack);
    const lateMs = await reminded(reader, String(first.suspension_id), from, signal);
    late.see('the reminder of the wire', lateMs);
    tell.line('wire', 'bob is reminded', REMINDER_SECONDS * 1_000);
    await decideEdited(reader, voters, approvalId, tell);
    must('what the agent says', await agent.result, 'wired 4500');
    const amounts = bank.transfers.map(({ body }) => body['amount']);
    must('what the bank has wired', amounts, [4_500]);
    tell.line('wire', 'the agent wires exactly 4500, once');
    await reader.checkLog('wire-1', wireLog(), signal);
    tell.line('wire', 'the log of the run is complete, and its chain verifies');
  } finally {
    agent.stop();
  }
}

/** Bob edits, so that Alice's vote falls; she gives it again on the new version. */
async function decideEdited(
  reader: Reader,
  voters: Voters,
  approvalId: string,
  tell: Teller,
): Promise<void> {
  const before = await reader.approval(approvalId);
  const edited = { amount: 4_500, to: 'ACME' };
  const after = await voters.vote('bob', before, { value: 'approved', edited });
  must('approvals after the edit', [after.approvals, after.required], [1, 2]);
  tell.line('wire', 'bob approves with 4500 in place of 4800: a new version, 1 of 2');
  await voters.refused('alice', before, { value: 'approved' }, 'proposal_hash_mismatch');
  tell.line('wire', 'alice on the version that she knows is refused: proposal_hash_mismatch');
  const question = await reader.api.get<SuspensionView>(`/suspensions/${before.suspension_id}`);
  const { approval: part } = question.record;
  if (part === undefined) throw new Difference('the question has no proposal');
  const { proposal, proposal_hash } = part;
  await voters.vote('alice', { ...before, proposal, proposal_hash }, { value: 'approved' });
  tell.line('wire', 'alice approves 4500: 2 of 2');
}

function wireLog() {
  return [
    ['approval_requested', { route: 'dual_approval', requested_by: WIRE_AGENT }],
    ['approval_vote', { principal: 'alice', decision: 'approved', version: 1 }],
    ['approval_vote_cancelled', { principal: 'alice', version: 1, edited_by: 'bob' }],
    ['approval_vote', { principal: 'bob', decision: 'approved', version: 2 }],
    ['approval_vote', { principal: 'alice', decision: 'approved', version: 2 }],
    ['approval_resolved', { status: 'approved', by: 'people', version: 2 }],
  ] as const;
}

/** Waits for the second attempt of a question, which is due one interval after it was asked, and says how late it is (ms). */
async function reminded(
  reader: Reader,
  suspensionId: string,
  from: number,
  signal: AbortSignal,
): Promise<number> {
  const due = from + REMINDER_SECONDS * 1_000;
  await pause(Math.max(0, due - Date.now()), undefined, { signal });
  const at = await eventually('the reminder', signal, async () => {
    const { timeline } = await reader.api.get<SuspensionView>(`/suspensions/${suspensionId}`);
    // While the worker is away too long, the second is skipped, and the next one comes late.
    const found = timeline.find(
      ({ kind, detail }) => kind === 'attempt' && Number(detail['attempt']) >= 2,
    );
    if (found === undefined) throw new Error('there is none yet');
    return Date.parse(found.at);
  });
  const lateMs = at - due;
  const early = earliness('the reminder of the wire', lateMs);
  if (early !== undefined) throw new Difference(early);
  return lateMs;
}

/** What was stored is changed while people decide: nothing runs, whatever they decide. */
async function wireThatWasChanged({ stack, tell, signal }: Scene, bank: OpenBank): Promise<void> {
  const reader = new Reader(stack.apiUrl, keyOfPrincipal('alice'));
  const voters = new Voters(stack.apiUrl);
  const before = bank.transfers.length;
  const agent = startWireAgent(stack, bank, 'wire-2', '100');
  try {
    const { approvalId } = await agent.asked;
    const view = await reader.asked(approvalId, signal);
    await eventually('the stored proposal', signal, () =>
      alterProposal(stack.databaseUrl, approvalId),
    );
    tell.line('wire', 'another wire, of 100: somebody changes the stored proposal to 9999');
    await voters.vote('alice', view, { value: 'approved' });
    await voters.vote('bob', view, { value: 'approved' });
    must('what the agent says', await agent.result, 'ProposalMutated');
    must('transfers', bank.transfers.length, before);
    await reader.checkLog(
      'wire-2',
      [
        ['approval_requested', {}],
        ['approval_vote', { principal: 'alice' }],
        ['approval_vote', { principal: 'bob' }],
        ['proposal_mutation_detected', {}],
      ],
      signal,
    );
    tell.line('wire', 'both approve, and nothing runs: proposal_mutation_detected');
  } finally {
    agent.stop();
  }
}

interface WireAgent {
  readonly asked: Promise<{ readonly approvalId: string }>;
  /** What it says at last. */
  readonly result: Promise<string>;
  readonly stop: () => void;
}

/** Starts `examples/wire-agent.ts`. */
function startWireAgent(stack: Stack, bank: OpenBank, run: string, amount: string): WireAgent {
  const agent = spawnAgent('wire-agent.ts', {
    HOLDPOINT_URL: stack.apiUrl,
    HOLDPOINT_API_KEY: keyOfPrincipal(WIRE_AGENT),
    WIRE_RUN: run,
    WIRE_AMOUNT: amount,
    WIRE_TO: 'ACME',
    WIRE_FOR: 'carol',
    BANK_URL: bank.url,
  });
  return {
    asked: lineOf(agent, /^asked: (\S+)$/).then((approvalId) => ({ approvalId })),
    result: lineOf(agent, /^result: (.*)$/),
    stop: agent.kill,
  };
}

/** The first line that fits; rejects where the agent ends before. */
function lineOf({ lines, ended }: SpawnedAgent, form: RegExp): Promise<string> {
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const value = form.exec(line)?.[1];
      if (value !== undefined) resolve(value);
    });
  });
  const line = Promise.race([found, ended]);
  // An agent that is stopped before anybody waits for its line must not hide why it was.
  line.catch(() => undefined);
  return line;
}
