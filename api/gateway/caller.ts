/** Who calls, as the key told. */
export interface Caller {
  readonly principal: string;
  readonly roles: ReadonlySet<'agent' | 'operator' | 'admin'>;
  /**
   * Set where the request came by the OpenIntent-compatible door: `actor` is the name in the events it
   * causes, names in bodies are kept as sent, and a question is written in two calls.
   */
  readonly door?: { readonly actor: string };
}

/** A read that may come from the store when no worker answers, or before the store caught up. */
export interface Read<T> {
  readonly value: T;
  readonly stale: boolean;
}

/** Who is named in the events of a write. */
export const actorOf = ({ principal, door }: Caller): string => door?.actor ?? principal;
