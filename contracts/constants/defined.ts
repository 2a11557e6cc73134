type Maybe<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type Defined<T> = Omit<T, Maybe<T>> & { [K in Maybe<T>]?: Exclude<T[K], undefined> };

/** Returns the fields that are not undefined: records omit them, in JSON and in hashes. */
export function defined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
