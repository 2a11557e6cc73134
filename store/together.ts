import { CompiledQuery, type Compilable } from 'kysely';
import pg from 'pg';
import { storeTypes } from './column-values.js';
import type { Store } from './schema.js';

export type Returned = Readonly<Record<string, unknown>>;

/** The undeclared methods of a query that `pg` calls while its reply comes in. */
interface Reply {
  callback: ((error: Error | null, result?: pg.QueryResult<Returned>) => void) | undefined;
  handleRowDescription: (message: unknown) => void;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: pg.Connection) => void;
  handleReadyForQuery: (connection: pg.Connection) => void;
}

type Part = pg.Query & Reply;

/**
 * Statements that go to the server in one piece and get one reply: all their messages, and one Sync after the last.
 * If one fails, the later ones are skipped. A connection runs it like a query of `pg` itself.
 */
export class Batch implements pg.Submittable {
  /** The results of the statements; complete when `run` has resolved. */
  readonly rows: (readonly Returned[])[] = [];
  callback: (error: Error | null) => void = () => undefined;
  private readonly parts: readonly Part[];
  private replied = 0;
  /** An error on this side: a value that cannot be sent, or a row that cannot be read. */
  private failure: Error | undefined;

  constructor(queries: readonly CompiledQuery[]) {
    this.parts = queries.map(
      ({ sql, parameters }) =>
        new pg.Query({
          text: sql,
          values: [...parameters],
          types: storeTypes,
          queryMode: 'extended',
        } as pg.QueryConfig) as Part,
    );
    this.parts.forEach((part, index) => {
      part.callback = (error, result) => {
        this.failure ??= error ?? undefined;
        this.rows[index] = result?.rows ?? [];
      };
    });
  }

  /** Runs on a connection and returns what Kysely expects. Throws the error of the statement that failed. */
  async run(client: pg.ClientBase): Promise<{ readonly rows: readonly never[] }> {
    await new Promise<void>((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
      client.query(this);
    });
    return { rows: [] };
  }

  submit(connection: pg.Connection): void {
    const open = Object.create(connection, { sync: { value: () => undefined } }) as pg.Connection;
    connection.stream.cork();
    for (const part of this.parts) part.submit(open);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.parts[this.replied]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.parts[this.replied]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.parts[this.replied]?.handleCommandComplete(message, connection);
    this.replied += 1;
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const part of this.parts) part.handleReadyForQuery(connection);
    this.callback(this.failure ?? null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

/** Returns the batch that `together` passes through Kysely to the connection. */
export function batchIn(parameters: readonly unknown[]): Batch | undefined {
  const [first] = parameters;
  return first instanceof Batch ? first : undefined;
}

/**
 * Runs statements in their order, in one round trip. Returns the rows of each. Outside of a transaction they are one
 * of their own, because there is one Sync: if one fails, none counts.
 */
export async function together(
  db: Store,
  statements: readonly Compilable[],
): Promise<readonly (readonly Returned[])[]> {
  if (statements.length === 0) return [];
  const batch = new Batch(statements.map((statement) => statement.compile()));
  await db.executeQuery(CompiledQuery.raw('', [batch]));
  return batch.rows;
}

const raw = (text: string): Compilable => ({ compile: () => CompiledQuery.raw(text) });

/**
 * Runs a transaction in two round trips: one begins it and runs all statements, the other ends it. In between, `judge`
 * receives their rows, and may run more queries, or roll back by throwing.
 */
export async function transactTogether<T>(
  db: Store,
  statements: readonly Compilable[],
  judge: (transaction: Store, returned: readonly (readonly Returned[])[]) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    try {
      const [, ...returned] = await together(connection, [raw('begin'), ...statements]);
      const judged = await judge(connection, returned);
      await together(connection, [raw('commit')]);
      return judged;
    } catch (error) {
      await together(connection, [raw('rollback')]).catch(() => undefined);
      throw error;
    }
  });
}
