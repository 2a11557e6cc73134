import type { AggregateStatus, IntentGraph, Relation } from '../contracts/graph/graph.js';
import type { CreateIntentRequest, Intent, IntentSummary } from '../contracts/intent/intent.js';
import { SubjectClient, pathOf, randomKey } from './connection.js';
import type { CreationOptions, Page, PartialExcept } from './connection.js';

export type NewChild = Omit<PartialExcept<CreateIntentRequest, 'title'>, 'parent_intent_id'>;

/** The children of an intent, and their aggregate status (R26-18). */
export interface Children {
  readonly children: readonly IntentSummary[];
  readonly aggregate_status: AggregateStatus;
}

/**
 * Parents, children and dependencies (RFC-0002). The refusal `dependency_cycle` has the cycle in `state.path`.
 */
export class GraphClient extends SubjectClient {
  /** Creates a child of an intent; the Idempotency-Key is a new one by default. */
  async createChild(
    parentId: string,
    child: NewChild,
    options: CreationOptions = {},
  ): Promise<Intent> {
    const path = pathOf('intents', parentId, '/children');
    return this.connection.create(path, child, options.idempotencyKey ?? randomKey());
  }

  async children(intentId: string, page: Page = {}): Promise<Children> {
    const path = pathOf('intents', intentId, '/children');
    const { entries, reply } = await this.connection.listWith(path, 'children', page);
    return { ...(reply as Children), children: entries as readonly IntentSummary[] };
  }

  /** Returns the intents in a relation to this one; `ready` and `blocked` are its children. */
  async related(
    intentId: string,
    relation: Relation,
    page: Page = {},
  ): Promise<readonly IntentSummary[]> {
    return this.connection.list(pathOf('intents', intentId, `/${relation}`), relation, page);
  }

  /** Makes an intent wait for another; `version` is the one that was read. */
  async addDependency(intentId: string, version: number, dependencyId: string): Promise<Intent> {
    const path = pathOf('intents', intentId, '/dependencies');
    return this.connection.write('POST', path, { version, body: { dependency_id: dependencyId } });
  }

  /** Ends the wait of an intent for another; `version` is the one that was read. */
  async removeDependency(intentId: string, version: number, dependencyId: string): Promise<Intent> {
    const path = pathOf('intents', intentId, `/dependencies/${encodeURIComponent(dependencyId)}`);
    return this.connection.write('DELETE', path, { version });
  }

  /** Returns an intent with all its descendants, and their aggregate status (R26-17). */
  async graph(intentId: string): Promise<IntentGraph> {
    return this.connection.read(pathOf('intents', intentId, '/graph'));
  }
}
