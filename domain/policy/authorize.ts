import type { Caller } from '../../contracts/people/caller.js';
import { DEFAULT_SPACE, type Permission } from '../../contracts/constants/callers.js';
import type { WorkflowType } from '../../contracts/constants/names.js';
import type { Role } from '../../contracts/people/api-key.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { ok, refuse } from '../kernel/ruling.js';
import { includes, type AccessLevel } from './access-list.js';
import {
  RULES,
  isPublic,
  rowOf,
  type Action,
  type CaseOf,
  type Grant,
  type Relation,
  type Rule,
} from './rules.js';

/** The roles of keys, in the order for texts. */
export const ROLES: readonly Role[] = ['agent', 'operator', 'admin', 'auditor', 'user'];

export type Related = Readonly<
  Partial<Record<Relation, string | readonly (string | undefined)[] | undefined>>
>;

export type Resource<A extends Action> = Related & {
  readonly when?: CaseOf<A> | undefined;
  /** The caller's rights by the intent's access list; all if absent. */
  readonly access?: AccessLevel;
};

/** Judges whether something exists for a caller: outside its space it is refused like an unknown id. */
export function existsFor(
  { space, roles }: Pick<Caller, 'space' | 'roles'>,
  kind: WorkflowType,
  of: string,
): Ruling<true> {
  if (space === of || roles.includes('system')) return ok(true);
  return refuse(`${kind}_not_found`, `No ${kind} has this id.`);
}

const DOES: Readonly<Record<Permission, string>> = {
  read: 'read it',
  write: 'write it',
  admin: 'administer it',
};

const THEM: Readonly<Record<Relation, string>> = {
  owner: 'its owner',
  owners: 'the owner of each intent',
  asker: 'who asked',
  holder: 'who holds the lease',
  maker: 'who made it',
  assignee: 'its agent',
  named: 'whom it names',
  claimer: 'who has claimed it or passed it on',
  initiator: 'the user for whom it was asked',
};

/**
 * Judges whether a caller may do something; every API and workflow uses only this. Without a resource it judges
 * whether any resource would be allowed, before anything is sent to a workflow. Refuses `forbidden`, or the code of
 * the rule.
 */
export function authorize<A extends Action>(
  caller: Caller,
  action: A,
  resource?: Resource<A>,
): Ruling<true> {
  const row = rowOf(action);
  if (row.isPublic || caller.roles.includes('system')) return ok(true);
  if (row.isWhole && caller.space !== DEFAULT_SPACE) return elsewhere();
  const cases = Object.values(row.cases ?? {});
  if (resource === undefined) {
    const allowed = rolesFor(action).some((role) => caller.roles.includes(role));
    return allowed ? ok(true) : refusal([row, ...cases]);
  }
  const when: string | undefined = resource.when;
  const rule = when === undefined ? row : (row.cases?.[when] ?? {});
  if (!ROLES.some((role) => isGranted(caller, role, rule, resource))) {
    return refusal([rule], rule.code);
  }
  const { access = 'admin' } = resource;
  const { needs } = rule;
  return needs === undefined || includes(access, needs) ? ok(true) : outsider(needs, access);
}

function elsewhere(): Ruling<never> {
  const accepted = `a key of the space ${DEFAULT_SPACE}`;
  return refuse('forbidden', `This shows all spaces, and only ${accepted} may do it.`, {
    accepted,
  });
}

/** Refuses a caller whose access list lacks the needed permission. */
function outsider(needs: Permission, access: AccessLevel): Ruling<never> {
  return refuse(
    'forbidden',
    `The access list of the intent does not let this agent ${DOES[needs]}.`,
    {
      accepted: `an entry for its principal with the permission ${needs}`,
      state: { required_permission: needs, current_permission: access },
    },
  );
}

/** Whether a caller may do something to everything in its space, and not only to its own things. */
export function mayAll(caller: Caller, action: Action): boolean {
  return authorize(caller, action, {}).ok;
}

/** The actions that a caller may run on some resource, for display: each call is judged again. */
export function actionsOf(caller: Caller): readonly Action[] {
  const actions = Object.keys(RULES) as readonly Action[];
  return actions.filter((action) => !isPublic(action) && authorize(caller, action).ok);
}

export function rolesFor(action: Action): readonly Role[] {
  const row = rowOf(action);
  const rules: readonly Rule[] = [row, ...Object.values(row.cases ?? {})];
  return ROLES.filter((role) => rules.some((rule) => rule[role] !== undefined));
}

function isGranted(caller: Caller, role: Role, rule: Rule, related: Related): boolean {
  const grant: Grant = rule[role] ?? [];
  if (!caller.roles.includes(role)) return false;
  return grant === 'any' || grant.some((relation) => isRelated(caller, relation, related));
}

function isRelated({ principal }: Caller, relation: Relation, related: Related): boolean {
  const names = [related[relation] ?? []].flat();
  return relation === 'owners'
    ? names.length > 0 && names.every((name) => name === principal)
    : names.includes(principal);
}

/** Describes the callers whom the rule would allow. */
function refusal(rules: readonly Rule[], code: ErrorCode = 'forbidden'): Ruling<never> {
  const roles = ROLES.filter((role) => rules.some((one) => one[role] === 'any'));
  const relations = ROLES.flatMap((role) => rules.flatMap((one) => [one[role] ?? []].flat()));
  const them = [...new Set(relations)].flatMap((one) => (one === 'any' ? [] : [THEM[one]]));
  const keys = roles.length === 0 ? [] : [`a key with the role ${listed(roles)}`];
  const accepted = listed([...them, ...keys]);
  return refuse(code, `Only ${accepted} may do this.`, { accepted });
}

export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? 'nobody';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
