import { ASKED_CHANNELS } from '../../contracts/channel-report.js';
import type {
  ChannelCheck,
  ChannelReport,
  ChannelReports,
} from '../../contracts/channel-report.js';
import type { Me } from '../../contracts/me.js';
import type { RunsSetAside } from '../../contracts/set-aside.js';
import type { PartialRetryPolicy } from '../../contracts/retry-policy.js';
import { ROLES, actionsOf, mayAll } from '../../domain/policy/authorize.js';
import { forAnyone, operations } from './operation.js';

/** Version of the OpenIntent protocol that names and forms follow. */
export const PROTOCOL_VERSION = '0.1';

/** What the server says of itself; no key is needed. */
export const SERVER = operations({
  health: {
    resource: 'server',
    refusals: [],
    run: async () => ({ status: 'ok' }) as const,
  },
  ready: { resource: 'server', refusals: [], run: forAnyone('readiness') },
  /** What clients may know of the configuration (R26-70). Who is notified, and who may answer, is not for strangers. */
  serverConfig: {
    resource: 'server',
    refusals: [],
    tellsCallersMore: true,
    async run({ caller, config }) {
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
  },
  /** The descriptions of the API. */
  openApi: { resource: 'server', refusals: [], run: async () => undefined },
  discover: { resource: 'server', refusals: [], run: async () => undefined },
});

function withoutNames(policy: PartialRetryPolicy | null): PartialRetryPolicy | null {
  const ladder = policy?.escalation_ladder;
  if (!ladder) return policy;
  return {
    ...policy,
    escalation_ladder: ladder.map(({ attempt, channel_hint }) => ({ attempt, channel_hint })),
  };
}

const NEVER_ASKED: ChannelCheck = { state: 'unknown', at: null, outcome: null, reason: null };

/** What the server does for each caller: it says who that is, and lets models in. */
export const CALLERS = operations({
  getMe: {
    resource: 'server',
    refusals: [],
    async run({ caller, temporalUi = null }): Promise<Me> {
      const { space, principal, roles, groups, acts_for } = caller;
      return {
        space,
        principal,
        roles: ROLES.filter((role) => roles.includes(role)),
        groups,
        ...(acts_for && { acts_for }),
        temporal_ui: mayAll(caller, 'listSuspensions') ? temporalUi : null,
        may: actionsOf(caller),
      };
    },
  },
  /** How the channels have fared that the configuration has: by their newest tries, and by what workers were told when they asked. */
  listChannels: {
    resource: 'server',
    refusals: ['store_unavailable'],
    async run({ gateway, config }): Promise<ChannelReports> {
      const checks = await gateway.channelChecks();
      const channels: ChannelReport[] = [];
      for (const [name, { type }] of Object.entries(config.notifications.channels)) {
        const check = ASKED_CHANNELS.includes(type) ? (checks.get(name) ?? NEVER_ASKED) : null;
        channels.push({ name, type, ...(await gateway.newestTries(name)), check });
      }
      const unknown_approvers = gateway.unknownApprovers();
      return { channels, ...(unknown_approvers.length > 0 && { unknown_approvers }) };
    },
  },
  /** The runs of workflows that workers have set aside, of all spaces. */
  listSetAside: {
    resource: 'server',
    refusals: ['store_unavailable'],
    run: ({ gateway }): Promise<RunsSetAside> => gateway.runsSetAside(),
  },
  /** The door for models. Each of its tools runs an operation of its own. */
  useMcp: { resource: 'server', refusals: [], run: async () => undefined },
});
