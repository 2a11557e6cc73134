/* Rows that several tables of rights share. */

/** Every role except users, who see what was asked for them. */
export const READ = { agent: 'any', operator: 'any', admin: 'any', auditor: 'any' } as const;
/** Agents see their own, everyone else sees all. */
export const OWN_LIST = { operator: 'any', admin: 'any', auditor: 'any' } as const;
/** Agents, and admins in their place. */
export const WORK = { agent: 'any', admin: 'any' } as const;
/** All roles except those that only read. */
export const CONTRIBUTE = { agent: 'any', operator: 'any', admin: 'any' } as const;
/** The actions that only people decide. */
export const DECIDE = { operator: 'any', admin: 'any' } as const;
/** Admins alone. */
export const ADMIN = { admin: 'any' } as const;
/** The actions that only an intent's owner decides. */
export const OWNER = { agent: ['owner'], admin: 'any' } as const;
/** Reads one intent, as far as its access list lets an agent. */
export const READ_IT = { ...READ, needs: 'read' } as const;
/** Writes to one intent, likewise. */
export const WRITE_IT = { ...WORK, needs: 'write' } as const;
/** Runs one intent, likewise. */
export const RUN_IT = { ...WORK, needs: 'admin' } as const;
