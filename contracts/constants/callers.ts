export const DEFAULT_SPACE = 'default';

const UNASKED = { space: DEFAULT_SPACE, roles: ['system'], groups: [] } as const;

/** The server itself, as the caller for work that no key asked for. No key has its role or its name. */
export const SERVER = { ...UNASKED, principal: 'holdpoint' } as const;

/** The caller for a cancellation in Temporal itself; the server does not know the person's name. */
export const TEMPORAL = { ...UNASKED, principal: 'temporal' } as const;

/** The permissions of an access list; each includes the ones before it (RFC-0011). */
export const PERMISSIONS = ['read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];
