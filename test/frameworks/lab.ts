import assert from 'node:assert/strict';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { FaultStack } from '../faults/fault-stack.js';
import { Program } from '../faults/program.js';
import { Bank } from '../support/bank.js';
import { lookUntil } from '../support/looks.js';
import { SEEDS } from '../support/secrets.js';
import type { ScriptedCall } from './agents/adapter.js';
import type { Task } from './agents/process.js';
import { FrameworksProject, type Framework } from './project.js';
import { PythonProject, isPython } from './python-project.js';

/** A wire of this amount is not decided within a second, and then it is denied. */
export const TOO_LATE = 13;
const CONFIG = `
approvals:
  rules:
    - tool: wire
      arguments: { amount: { equals: ${TOO_LATE} } }
      verdict: escalate
      route: policy_pack
      pack: hasty
  packs:
    hasty:
      stages:
        - name: hasty
          tiers: [{ timeout_seconds: 1, on_timeout: deny }]
`;

/** How a process of an agent starts: under which name it leases calls, and where it stops to be killed. */
export interface Start {
  readonly holder?: string;
  readonly holdAt?: string;
  readonly leaseSeconds?: number;
}

/** What the process of an agent says about the end of a run. */
export interface Ended {
  readonly run: string;
  readonly end: string;
  readonly results: readonly string[];
}

/** A real Holdpoint, a bank, and a project with agents of all frameworks. */
export class Lab {
  readonly bank = new Bank();
  readonly project: FrameworksProject;
  readonly pythonProject: PythonProject;
  private readonly world: FaultStack;
  private readonly bankUrl: string;
  private readonly programs: Program[] = [];
  private runs = 0;

  private constructor(
    project: FrameworksProject,
    pythonProject: PythonProject,
    world: FaultStack,
    bankUrl: string,
    bank: Bank,
  ) {
    this.project = project;
    this.pythonProject = pythonProject;
    this.world = world;
    this.bankUrl = bankUrl;
    this.bank = bank;
  }

  static async open(): Promise<Lab> {
    const project = await FrameworksProject.make();
    const python = await PythonProject.make();
    const bank = new Bank();
    return new Lab(project, python, await FaultStack.start(CONFIG), await bank.start(), bank);
  }

  async close(): Promise<void> {
    await this.killAll();
    await this.bank.stop();
    await this.world.close();
    await this.project.remove();
    await this.pythonProject.remove();
  }

  async killAll(): Promise<void> {
    for (const program of this.programs.splice(0)) await program.kill();
  }

  /** A fresh run, whose name is also the receiver of its wires. */
  newRun(framework: Framework): string {
    this.runs += 1;
    return `${framework}-${this.runs}`;
  }

  start(framework: Framework, task: Task, { holder, holdAt, leaseSeconds }: Start = {}): Agent {
    const variables = {
      FRAMEWORK: framework,
      TASK: JSON.stringify(task),
      HOLDPOINT_URL: this.world.stack.apiUrl,
      HOLDPOINT_API_KEY: SEEDS.agentKey,
      BANK_URL: this.bankUrl,
      ...(holder !== undefined && { HOLDER: holder }),
      ...(holdAt !== undefined && { HOLD_AT: holdAt }),
      ...(leaseSeconds !== undefined && { LEASE_SECONDS: String(leaseSeconds) }),
    };
    const { temporalAddress } = this.world.stack;
    const python = this.pythonProject;
    const program = isPython(framework)
      ? new Program(
          [python.program(framework)],
          temporalAddress,
          { ...variables, ...python.variables },
          python.python,
        )
      : new Program([this.project.program], temporalAddress, variables);
    this.programs.push(program);
    return new Agent(program);
  }

  /** The approvals of a run in a status, oldest first. */
  async approvals(run: string, status: ApprovalView['status']): Promise<readonly ApprovalView[]> {
    const query = `/v1/approvals?run_id=${encodeURIComponent(run)}&status=${status}`;
    const { approvals } = (await this.read(query)) as { approvals: ApprovalView[] };
    return approvals.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  }

  /** Whether agents have nothing left to do in a run whose calls are decided. */
  async isOver(run: string): Promise<boolean> {
    const query = `/v1/approvals?run_id=${encodeURIComponent(run)}&checkpoint=open`;
    const { approvals } = (await this.read(query, SEEDS.agentKey)) as { approvals: ApprovalView[] };
    return approvals.length === 0;
  }

  /** How a run ended, once it is over for Holdpoint too, so that no other agent takes it up again. */
  async over(agent: Agent, run: string): Promise<Ended> {
    const ended = await agent.ended(run);
    await lookUntil(() => this.isOver(run), `${run} is never over`);
    return ended;
  }

  /** The approval of a call with this amount, as soon as people can answer. */
  async question(run: string, amount: number): Promise<ApprovalView> {
    return lookUntil(async () => {
      const open = await this.approvals(run, 'pending');
      const asked = open.filter(({ suspension_id }) => suspension_id !== null);
      return asked.find(({ proposal }) => proposal.calls[0]?.arguments['amount'] === amount);
    }, `nobody is asked about ${amount} of ${run}`);
  }

  /** Decides about the call with this amount, as a person does: `edited` is what runs in its place. */
  async decide(
    run: string,
    amount: number,
    { value = 'approved', comment, edited }: Verdict = {},
  ): Promise<void> {
    const { suspension_id, proposal_hash, proposal } = await this.question(run, amount);
    assert.ok(suspension_id);
    const call_id = proposal.calls[0]?.id ?? '';
    await this.world.operator.respond(null, {
      suspension_id,
      value,
      proposal_hash,
      ...(comment !== undefined && { comment }),
      ...(edited && { edits: [{ call_id, arguments: edited }] }),
    });
  }

  /** The types of all events in the log of a run. */
  async events(run: string): Promise<readonly string[]> {
    const { events } = (await this.read(`/v1/runs/${run}/events`, SEEDS.adminKey)) as {
      events: { event_type: string }[];
    };
    return events.map(({ event_type }) => event_type);
  }

  private async read(route: string, key: string = SEEDS.operatorKey): Promise<unknown> {
    const reply = await fetch(`${this.world.stack.apiUrl}${route}`, {
      headers: { 'X-API-Key': key },
    });
    if (reply.status !== 200) throw new Error(`${route}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }
}

interface Verdict {
  readonly value?: 'approved' | 'rejected';
  readonly comment?: string;
  readonly edited?: JsonObject;
}

/** The process of an agent, and what it says. */
export class Agent {
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** The first thing that it says under this word; an error if it crashes first. */
  async says(word: 'parked' | 'refused' | 'held' | 'looked'): Promise<unknown> {
    const line = await this.program.line(new RegExp(`^(${word}|crashed) `));
    assert.ok(line.startsWith(word), line);
    return JSON.parse(line.slice(word.length)) as unknown;
  }

  /** The turn of a run that waits for people. */
  async parked(): Promise<object> {
    return ((await this.says('parked')) as { end: object }).end;
  }

  /**
   * How a run ended. One process may end several. That a killed process still has a call is no crash, though a framework wraps
   * what Holdpoint says of it: whoever watches tries again.
   */
  async ended(run: string): Promise<Ended> {
    const line = await this.program.line(
      new RegExp(`^(done {"run":"${run}"|crashed (?!.*Another process has it))`),
    );
    assert.ok(line.startsWith('done'), line);
    return JSON.parse(line.slice('done'.length)) as Ended;
  }

  get printed(): string {
    return this.program.printed;
  }

  kill(): Promise<void> {
    return this.program.kill();
  }
}

/** The wire of a run with this amount, as a model makes it. */
export function wireOf(run: string, amount: number, id = `call-${amount}`): ScriptedCall {
  return { id, to: run, amount };
}
