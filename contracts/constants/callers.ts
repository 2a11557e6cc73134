/** The space of keys that name none. */
export const DEFAULT_SPACE = 'default';

const UNASKED = { space: DEFAULT_SPACE, roles: ['system'], groups: [] } as const;

/** The server itself, for what no key asked for. No key has its role or its name. */
export const SERVER = { ...UNASKED, principal: 'holdpoint' } as const;

/** Stands for a person who cancels a workflow in Temporal itself; the server does not know the name. */
export const TEMPORAL = { ...UNASKED, principal: 'temporal' } as const;
