import type { Me } from '../../../contracts/people/session.js';
import type { PartialRetryPolicy } from '../../../contracts/suspension/retry-policy.js';
import { ROLES, actionsOf, mayAll } from '../../../domain/policy/authorize.js';
import { useCase, type Call, type Services } from '../usecase.js';

/** The version of the OpenIntent protocol that names and forms follow. */
export const PROTOCOL_VERSION = '0.1';

export const health = useCase({
  name: 'health',
  resource: 'server',
  refusals: [],
  run: async () => ({ status: 'ok' }) as const,
});

export const ready = useCase({
  name: 'ready',
  resource: 'server',
  refusals: [],
  run: ({ parts }: Call) => parts.whole.readiness(),
});

/** What clients may know of the configuration (R26-70). It does not say who is notified or who may answer. */
export const serverConfig = useCase({
  name: 'serverConfig',
  resource: 'server',
  refusals: [],
  tellsCallersMore: true,
  async run({ caller, config }: Call & Services) {
    const { default_retry_policy } = config.suspension;
    const isStranger = caller.roles.length === 0;
    return {
      protocol_version: PROTOCOL_VERSION,
      suspension: {
        default_retry_policy: isStranger
          ? withoutNames(default_retry_policy)
          : default_retry_policy,
      },
    };
  },
});

function withoutNames(policy: PartialRetryPolicy | null): PartialRetryPolicy | null {
  const ladder = policy?.escalation_ladder;
  if (!ladder) return policy;
  return {
    ...policy,
    escalation_ladder: ladder.map(({ attempt, channel_hint }) => ({ attempt, channel_hint })),
  };
}

export const openApi = useCase({
  name: 'openApi',
  resource: 'server',
  refusals: [],
  run: async () => undefined,
});

export const discover = useCase({
  name: 'discover',
  resource: 'server',
  refusals: [],
  run: async () => undefined,
});

export const getMe = useCase({
  name: 'getMe',
  resource: 'server',
  refusals: [],
  async run({ caller, temporalUi }: Call & Services): Promise<Me> {
    const { space, principal, roles, groups, acts_for } = caller;
    return {
      space,
      principal,
      roles: ROLES.filter((role) => roles.includes(role)),
      groups,
      ...(acts_for && { acts_for }),
      temporal_ui: mayAll(caller, 'listSuspensions') ? (temporalUi ?? null) : null,
      may: actionsOf(caller),
    };
  },
});

/** Serves models over MCP. Each of its tools runs a use case of its own. */
export const useMcp = useCase({
  name: 'useMcp',
  resource: 'server',
  refusals: [],
  run: async () => undefined,
});
