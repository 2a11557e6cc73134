import { CommonTableExpressionNameNode, CommonTableExpressionNode, WithNode, sql } from 'kysely';
import type {
  KyselyPlugin,
  RawNode,
  PluginTransformResultArgs,
  QueryResult,
  RawBuilder,
  RootOperationNode,
  SelectQueryNode,
  UnknownRow,
} from 'kysely';
import type { Database, Store } from './schema.js';

/** The tables that say of each row to which space it belongs. */
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
  'run_events',
  'runs',
  'snapshots',
  'subscriptions',
  'suspension_timeline',
  'suspensions',
  'tasks',
] as const satisfies readonly (keyof Database)[];

/**
 * The store as one space has it: each of these tables stands for its rows of this space, wherever a query names it. So
 * nothing that is read here comes from another space, whatever the conditions of the query are. It takes no writes.
 */
export function inSpace(db: Store, space: string): Store {
  return db.withPlugin(new OneSpace(space));
}

/** The whole store again, for a query that writes: what it writes, and where, names its space. */
export function wholeStore(db: Store): Store {
  return db.withoutPlugins();
}

/** Puts a common table expression for each table before a query, which takes the place of the table. */
class OneSpace implements KyselyPlugin {
  private readonly rows: readonly (readonly [table: string, rows: RawBuilder<unknown>])[];

  constructor(space: string) {
    this.rows = SPACED.map((table) => [
      table,
      sql`(select * from ${sql.table(table)} where space = ${space})`,
    ]);
  }

  transformQuery({ node }: { readonly node: RootOperationNode }): RootOperationNode {
    // A table that is only part of another name, or of a value, adds an expression that nothing uses.
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

type Rows = readonly (readonly [table: string, rows: RawBuilder<unknown>])[];

function selectOf(node: SelectQueryNode, tables: Rows): SelectQueryNode {
  if (node.with !== undefined) throw new TypeError('A query in a space begins with no WITH.');
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
