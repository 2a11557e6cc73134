/** The permissions of an access list; each includes the ones before it (RFC-0011). */
export const PERMISSIONS = ['read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];
