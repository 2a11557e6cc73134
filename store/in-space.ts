import {
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  WithNode,
  sql,
  type KyselyPlugin,
  type PluginTransformResultArgs,
  type QueryResult,
  type RawBuilder,
  type RawNode,
  type RootOperationNode,
  type SelectQueryNode,
  type UnknownRow,
} from 'kysely';
import type { Database, Store } from './schema.js';

const SPACED = [
  'agents',
  'approvals',
  'coordinators',
  'deliveries',
  'delivery_tries',
  'events',
  'intents',
  'journal_quarantine',
  'key_principals',
  'plans',
  'portfolios',
  'principal_sights',
  'question_facts',
  'run_events',
  'runs',
  'saved_views',
  'snapshots',
  'snoozes',
  'subscriptions',
  'suspension_timeline',
  'suspensions',
  'tasks',
] as const satisfies readonly (keyof Database)[];

export function isSpaced(table: keyof Database): boolean {
  return (SPACED as readonly string[]).includes(table);
}

/**
 * The store as one space sees it: a query reads only the rows of this space, whatever its own conditions. It accepts
 * no writes. Policies of the database would cost more (docs/adr/0102).
 */
export function inSpace(db: Store, space: string): Store {
  return db.withPlugin(new OneSpace(space));
}

/** Returns the whole store again, for a query that writes and names its space itself. */
export function wholeStore(db: Store): Store {
  return db.withoutPlugins();
}

type Rows = readonly (readonly [table: string, rows: RawBuilder<unknown>])[];

/** Puts a common table expression before a query for each table, which then stands for the table. */
class OneSpace implements KyselyPlugin {
  private readonly rows: Rows;

  constructor(space: string) {
    this.rows = SPACED.map((table) => [
      table,
      sql`(select * from ${sql.table(table)} where space = ${space})`,
    ]);
  }

  transformQuery({ node }: { readonly node: RootOperationNode }): RootOperationNode {
    // A match inside another name or a value only adds an expression that nothing uses.
    const text = JSON.stringify(node);
    const rows = this.rows.filter(([table]) => text.includes(table));
    if (node.kind === 'SelectQueryNode') return selectOf(node, rows);
    if (node.kind === 'RawNode') return rawOf(node, rows);
    throw new TypeError(`A space is only read; this is a ${node.kind}.`);
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}

function selectOf(node: SelectQueryNode, tables: Rows): SelectQueryNode {
  if (node.with !== undefined) throw new TypeError('A query in a space cannot begin with WITH.');
  const [first, ...rest] = tables.map(([table, rows]) =>
    CommonTableExpressionNode.cloneWith(
      CommonTableExpressionNode.create(
        CommonTableExpressionNameNode.create(table),
        rows.toOperationNode(),
      ),
      { materialized: false },
    ),
  );
  if (first === undefined) return node;
  return {
    ...node,
    with: rest.reduce((all, one) => WithNode.cloneWithExpression(all, one), WithNode.create(first)),
  };
}

/** A raw query may begin with its own WITH, so it goes into parentheses. */
function rawOf(node: RawNode, tables: Rows): RawNode {
  if (tables.length === 0) return node;
  const parts = tables.map(([table, rows]) => sql`${sql.table(table)} as not materialized ${rows}`);
  return sql`with ${sql.join(parts)} (${{ toOperationNode: () => node }})`.toOperationNode();
}
