import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { Plan, PhasedPlanView } from '../../../contracts/plan/plan.js';
import type { PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { Task } from '../../../contracts/plan/task.js';
import { is } from './checker.js';
import type { PhaseName } from './story.js';

/** Plain calls of the API under one key, for what is read row by row. */
export class Api {
  private readonly base: string;
  private readonly key: string;

  constructor(baseUrl: string, key: string) {
    this.base = `${baseUrl}/v1`;
    this.key = key;
  }

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.send<T>('POST', path, body);
  }

  /** Changes what is at the version that was read. */
  patch<T>(path: string, version: number, body: object): Promise<T> {
    return this.send<T>('PATCH', path, body, { 'if-match': String(version) });
  }

  /** Throws an Error with status and code where it is refused. */
  private async send<T>(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const reply = await fetch(this.base + path, {
      method,
      headers: { 'x-api-key': this.key, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = (await reply.json()) as JsonObject;
    if (reply.ok) return parsed as T;
    throw new Error(
      `${method} ${path}: ${reply.status} ${JSON.stringify(parsed['code'] ?? parsed)}`,
    );
  }
}

/** What one run of the story consists of, by its ids. */
export interface Ids {
  readonly workflow: string;
  readonly portfolio: string;
  readonly coordinator: string;
  readonly intents: Readonly<Record<PhaseName, string>>;
  readonly tasks: Readonly<Record<PhaseName, string>>;
}

/** Everything the rows of the table are read from. */
export class Reads {
  readonly ids: Ids;
  private readonly api: Api;

  constructor(api: Api, ids: Ids) {
    this.api = api;
    this.ids = ids;
  }

  intent(phase: PhaseName): Promise<Intent> {
    return this.api.get(`/intents/${this.ids.intents[phase]}`);
  }

  task(phase: PhaseName): Promise<Task> {
    return this.api.get(`/tasks/${this.ids.tasks[phase]}`);
  }

  workflow(): Promise<PhasedPlanView> {
    return this.api.get(`/workflows/${this.ids.workflow}`);
  }

  /** A workflow of phases is a plan under the same id. */
  plan(): Promise<Plan> {
    return this.api.get(`/plans/${this.ids.workflow}`);
  }

  portfolio(): Promise<PortfolioView> {
    return this.api.get(`/portfolios/${this.ids.portfolio}`);
  }

  coordinator(): Promise<Coordinator> {
    return this.api.get(`/coordinators/${this.ids.coordinator}`);
  }

  suspension(id: string): Promise<SuspensionView> {
    return this.api.get(`/suspensions/${id}`);
  }

  /** The log of a phase's intent, oldest first. */
  log(phase: PhaseName): Promise<readonly IntentEvent[]> {
    return this.eventsAt(`/intents/${this.ids.intents[phase]}`);
  }

  /** The portfolio's own log, oldest first. */
  portfolioLog(): Promise<readonly IntentEvent[]> {
    return this.eventsAt(`/portfolios/${this.ids.portfolio}`);
  }

  /** The one event of a type, with these fields in its payload; throws unless there is exactly one. */
  async event(phase: PhaseName, type: string, of: object = {}): Promise<IntentEvent> {
    return only(await this.log(phase), type, of);
  }

  async portfolioEvent(type: string): Promise<IntentEvent> {
    return only(await this.portfolioLog(), type, {});
  }

  private async eventsAt(path: string): Promise<readonly IntentEvent[]> {
    const { events } = await this.api.get<{ events: readonly IntentEvent[] }>(
      `${path}/events?limit=1000`,
    );
    return events.toReversed();
  }
}

function only(log: readonly IntentEvent[], type: string, of: object): IntentEvent {
  const found = log.filter(
    ({ event_type, payload }) =>
      event_type === type &&
      Object.entries(of).every(
        ([name, value]) => JSON.stringify(payload[name]) === JSON.stringify(value),
      ),
  );
  is(`the number of ${type} events with ${JSON.stringify(of)}`, found.length, 1);
  return found[0] as IntentEvent;
}
