import assert from 'node:assert/strict';
import { cycleOf } from '../../domain/kernel/graph.js';
import { Clock } from './clock.js';
import { INTENTS, type Command, type Shape } from './commands.js';
import { ModelIntent } from './intent.js';
import { Mail } from './mail.js';
import { ModelPlan } from './plan.js';
import { ModelPortfolio } from './portfolio.js';
import type { Question } from './question.js';

/** Intents that depend on each other, a portfolio and a plan that observe them, and what is under way. */
export class Whole {
  readonly clock = new Clock();
  readonly mail: Mail;
  readonly intents: readonly ModelIntent[];
  readonly portfolio: ModelPortfolio;
  readonly plan: ModelPlan;
  private asked = 0;

  constructor(shape: Shape, afterEach: () => void) {
    const { clock } = this;
    this.mail = new Mail(afterEach);
    this.intents = Array.from({ length: INTENTS }, (_, place) => {
      const status = shape.drafts.includes(place) ? 'draft' : 'active';
      return new ModelIntent(`i${place}`, status, clock, this.mail);
    });
    for (const [from, to] of shape.edges) this.at(from).depend(this.at(to));
    this.portfolio = new ModelPortfolio(clock, this.mail, (id) => this.question(id));
    for (const place of shape.members) this.portfolio.join(this.at(place));
    this.plan = new ModelPlan(this.intents, shape.edges, shape.on_failure, clock, this.mail);
  }

  get questions(): readonly Question[] {
    return this.intents.flatMap(({ questions }) => questions);
  }

  at(place: number): ModelIntent {
    return this.intents[place] ?? assert.fail();
  }

  intent(id: string): ModelIntent {
    return this.intents.find((one) => one.id === id) ?? assert.fail();
  }

  /** Everything that is due or under way has come in; nothing more happens by itself. */
  rest(pick: number): void {
    this.portfolio.fire();
    for (const question of this.questions) question.fire();
    this.mail.deliverAll(pick);
  }

  run(command: Command): void {
    switch (command.does) {
      case 'depend':
      case 'release':
        this.link(command.does, this.at(command.of), this.at(command.on));
        break;
      case 'join':
      case 'leave':
        this.portfolio[command.does](this.at(command.of));
        break;
      case 'plan':
        this.plan.write(command.state);
        break;
      case 'deadline':
        this.portfolio.moveDeadline(command.seconds);
        break;
      case 'pass':
        this.clock.pass(command.seconds);
        break;
      case 'deliver':
        for (const pick of command.picks) this.mail.deliver(pick);
        break;
      case 'repeat':
        this.mail.repeat(command.pick);
        break;
      case 'rest':
        this.rest(command.pick);
        break;
      default:
        this.runAt(this.at(command.of), command);
    }
  }

  private runAt(
    intent: ModelIntent,
    command: Extract<Command, { readonly of: number; readonly does: OfOne }>,
  ): void {
    const task = this.plan.tasks.find((one) => one.task.intent_id === intent.id) ?? assert.fail();
    switch (command.does) {
      case 'suspend':
        intent.suspend(`q${(this.asked += 1)}`, command.fallback, command.seconds);
        break;
      case 'answer':
        intent.questions.at(-1)?.answer(command.value, command.key);
        break;
      case 'withdraw':
        intent.questions.at(-1)?.withdraw('agent');
        break;
      case 'write':
        intent.write(command.status);
        break;
      case 'patch':
        intent.patch(command.value);
        break;
      case 'claim':
        task.claim(command.agent);
        break;
      case 'task':
        if (command.request.status === 'running') task.claim('worker-1');
        task.patch(command.request);
    }
  }

  /** The store looks for cycles. */
  private link(does: 'depend' | 'release', from: ModelIntent, to: ModelIntent): void {
    const edges = this.intents.flatMap(({ id, intent }) =>
      intent.depends_on.map((dependency_id) => ({ intent_id: id, dependency_id })),
    );
    const added = { intent_id: from.id, dependency_id: to.id };
    if (does === 'depend' && cycleOf(edges, added)) return;
    from[does](to);
  }

  private question(id: string): Question {
    return this.questions.find((one) => one.id === id) ?? assert.fail();
  }
}

type OfOne = 'suspend' | 'answer' | 'withdraw' | 'write' | 'patch' | 'claim' | 'task';
