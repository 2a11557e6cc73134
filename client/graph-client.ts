import type { AggregateStatus, IntentGraph, Relation } from '../contracts/graph.js';
import type { CreateIntentRequest, Intent } from '../contracts/intent.js';
import { create, pathOf, randomKey, read } from './connection.js';
import type { Connection, CreationOptions, Page, PartialExcept } from './connection.js';
import { listIn } from './reply.js';

export type NewChild = Omit<PartialExcept<CreateIntentRequest, 'title'>, 'parent_intent_id'>;

/** The children of an intent, and what all of them come to (R26-18). */
export interface Children {
  readonly children: readonly Intent[];
  readonly aggregate_status: AggregateStatus;
}

/**
 * Parents, children and dependencies (RFC-0002) over HTTP. Refusals are thrown as HoldpointError;
 * `dependency_cycle` has the way from the intent back to it in `state.path`.
 */
export class GraphClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates an intent whose parent this is; the Idempotency-Key is its own unless given. */
  async createChild(
    parentId: string,
    child: NewChild,
    options: CreationOptions = {},
  ): Promise<Intent> {
    const path = pathOf('intents', parentId, '/children');
    const key = options.idempotencyKey ?? randomKey();
    return (await create(this.#connection, path, child, key)) as Intent;
  }

  async children(intentId: string, page: Page = {}): Promise<Children> {
    const path = pathOf('intents', intentId, '/children');
    return (await read(this.#connection, path, { ...page })) as Children;
  }

  /** The intents that stand in a relation to this one; `ready` and `blocked` are children of it. */
  async related(intentId: string, relation: Relation, page: Page = {}): Promise<readonly Intent[]> {
    const path = pathOf('intents', intentId, `/${relation}`);
    return listIn(await read(this.#connection, path, { ...page }), relation) as readonly Intent[];
  }

  /** Lets an intent wait for another; `version` is the one that was read. */
  async addDependency(intentId: string, version: number, dependencyId: string): Promise<Intent> {
    const reply = await this.#connection.send({
      method: 'POST',
      path: pathOf('intents', intentId, '/dependencies'),
      headers: { 'if-match': String(version) },
      body: { dependency_id: dependencyId },
      repeatable: 'undelivered',
    });
    return reply.body as Intent;
  }

  /** The intent waits for that one no more; `version` is the one that was read. */
  async removeDependency(intentId: string, version: number, dependencyId: string): Promise<Intent> {
    const reply = await this.#connection.send({
      method: 'DELETE',
      path: pathOf('intents', intentId, `/dependencies/${encodeURIComponent(dependencyId)}`),
      headers: { 'if-match': String(version) },
      repeatable: 'undelivered',
    });
    return reply.body as Intent;
  }

  /** An intent with all its descendants, and what they come to (R26-17). */
  async graph(intentId: string): Promise<IntentGraph> {
    return (await read(this.#connection, pathOf('intents', intentId, '/graph'))) as IntentGraph;
  }
}
