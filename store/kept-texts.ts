import { CompiledQuery, type Compilable } from 'kysely';

/** The most texts of one statement that are kept; larger batches are rare. */
const MOST_KEPT = 16;

interface Kept {
  readonly sql: string;
  /** The parameters after those of the call: the same in each call. */
  readonly rest: readonly unknown[];
}

/** The texts of a statement, by its number of rows. Each is compiled once, which takes longer than to send it. */
export class KeptTexts {
  private readonly kept = new Map<number, Kept>();

  /**
   * Returns the statement for one call.
   *
   * @param rows - how many rows it has; its text depends on nothing else
   * @param values - the first parameters of its text, in their order; the others are always the same
   */
  statement(rows: number, values: readonly unknown[], build: () => Compilable): Compilable {
    // Kysely leaves a column out where its value is undefined, which would be another text.
    if (values.includes(undefined)) throw new TypeError('A parameter is undefined.');
    return {
      compile: () => {
        const { sql, rest } = this.kept.get(rows) ?? this.keep(rows, values, build().compile());
        return CompiledQuery.raw(sql, [...values, ...rest]);
      },
    };
  }

  private keep(rows: number, values: readonly unknown[], compiled: CompiledQuery): Kept {
    const { sql, parameters } = compiled;
    if (values.some((value, index) => value !== parameters[index]))
      throw new TypeError('The statement does not begin with these parameters.');
    const kept = { sql, rest: parameters.slice(values.length) };
    if (rows <= MOST_KEPT) this.kept.set(rows, kept);
    return kept;
  }
}
