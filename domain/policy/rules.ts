import type { Permission } from '../../contracts/constants/callers.js';
import type { Role } from '../../contracts/people/api-key.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';

/**
 * How a caller can be related to a resource. Every name here is an authenticated principal.
 *
 * - `owner`: created the intent
 * - `owners`: created each one of several intents
 * - `asker`: asked the question
 * - `holder`: holds the lease; for an open question, a lease that is older than it
 * - `maker`: made the plan, task, registration or subscription
 * - `assignee`: has the task
 * - `named`: may resume the pause, according to its opener
 * - `claimer`: has claimed or delegated the question
 * - `initiator`: the user on whose behalf the agent asked for an approval
 */
export type Relation =
  | 'owner'
  | 'owners'
  | 'asker'
  | 'holder'
  | 'maker'
  | 'assignee'
  | 'named'
  | 'claimer'
  | 'initiator';

/** The resources on which a role may act: all in its space, or only those to which it has one of these relations. */
export type Grant = 'any' | readonly Relation[];

/** The roles that may do something. An absent role may not. */
export interface Rule extends Readonly<Partial<Record<Role, Grant>>> {
  /** The error code for all others, if not `forbidden`. */
  readonly code?: ErrorCode;
  /** The permission that agents need in the intent's access list, if it restricts them. */
  readonly needs?: Permission;
}

/** The roles that may run an operation. Each of its cases replaces this rule with another. */
interface Row extends Rule {
  readonly isPublic?: true;
  /** It shows all spaces, so only keys of the default space may run it. */
  readonly isWhole?: true;
  readonly cases?: Readonly<Record<string, Rule>>;
}

/** Every role except users, who see only what was asked on their behalf. */
const READ = { agent: 'any', operator: 'any', admin: 'any', auditor: 'any' } as const;
const OWN_LIST = { operator: 'any', admin: 'any', auditor: 'any' } as const;
const WORK = { agent: 'any', admin: 'any' } as const;
/** All roles except those that only read. */
const CONTRIBUTE = { agent: 'any', operator: 'any', admin: 'any' } as const;
/** The actions that only people decide. */
const DECIDE = { operator: 'any', admin: 'any' } as const;
const ADMIN = { admin: 'any' } as const;
/** The actions that only an intent's owner decides. */
const OWNER = { agent: ['owner'], admin: 'any' } as const;
/** Reads one intent, as far as its access list lets an agent. */
const READ_IT = { ...READ, needs: 'read' } as const;
/** Writes to one intent, as far as its access list lets an agent. */
const WRITE_IT = { ...WORK, needs: 'write' } as const;
/** Runs one intent, as far as its access list lets an agent. */
const RUN_IT = { ...WORK, needs: 'admin' } as const;

/** The asker, and the user on whose behalf it was asked, may see it. */
const OWN_APPROVAL = { ...OWN_LIST, agent: ['asker'], user: ['initiator'] } as const;
/** A user decides only about what was asked on their behalf. */
const ANSWER = { ...DECIDE, user: ['initiator'] } as const;
/** A pause waits for no person, so it is in no operator's inbox. */
const PAUSE_LIST = { agent: ['asker'], admin: 'any', auditor: 'any' } as const;
/** The actions that are for the asker only. */
const ASKER = { agent: ['asker'], admin: 'any' } as const;

const DECISION_RULES = {
  suspend: WRITE_IT,
  openSuspension: WORK,
  cancelSuspension: { agent: ['asker'], admin: 'any' },
  respond: {
    ...ANSWER,
    cases: { inAnothersName: { ...ADMIN, code: 'responded_by_mismatch' } },
  },
  respondToMany: ANSWER,
  /** For a pause, with its signal; a question is settled only by those who may answer it. */
  resumeSuspension: {
    agent: ['asker', 'named'],
    operator: ['named'],
    user: ['named'],
    admin: 'any',
    cases: { ofQuestion: ANSWER },
  },
  /** The roles that may answer, if the decision rule makes them eligible. */
  claimSuspension: ANSWER,
  releaseSuspension: { operator: ['claimer'], user: ['claimer'], admin: 'any' },
  commentOnSuspension: { ...ANSWER, agent: ['asker'] },
  /** For their own lists in the inbox; only for these roles do questions wait there. */
  snoozeSuspension: DECIDE,
  endSnooze: DECIDE,
  listSnoozes: DECIDE,
  listSavedViews: OWN_LIST,
  saveView: OWN_LIST,
  deleteSavedView: OWN_LIST,
  /** Not for users: an approval that is asked on their behalf cannot be delegated. */
  delegateSuspension: DECIDE,
  /** It shows people's names, so only those who may delegate see it. */
  listCandidates: DECIDE,
  /** The asker may correct the question. */
  amendSuspension: { agent: ['asker'], admin: 'any' },
  /** Eligible people decide, so nobody may make themselves eligible. */
  changeEligibility: ADMIN,
  eraseSuspension: ADMIN,
  getSuspension: READ_IT,
  getBlocks: READ_IT,
  waitForSuspension: READ_IT,
  verifyTimeline: READ_IT,
  exportTimeline: READ_IT,
  listSuspensions: { ...OWN_LIST, agent: ['asker'], cases: { ofPauses: PAUSE_LIST } },
  /** The report does not name the people who answer. */
  reportEngagement: OWN_LIST,
  countSuspensions: { ...OWN_LIST, agent: ['asker'], cases: { ofPauses: PAUSE_LIST } },
  /** The whole id of a question, half of what an answer needs; others see it shortened. */
  seeQuestionIds: { ...OWN_LIST, agent: ['owner', 'maker'] },
  recordIntentDecision: { ...CONTRIBUTE, needs: 'admin' },
  listIntentDecisions: READ_IT,
  requestArbitration: { ...CONTRIBUTE, needs: 'admin' },
  logCoordinatorDecision: RUN_IT,
  requestEscalation: { ...CONTRIBUTE, needs: 'read' },
  listEscalations: READ_IT,
  resolveEscalation: DECIDE,
  requestApproval: WRITE_IT,
  getApproval: READ_IT,
  decideApproval: DECIDE,
  listApprovals: OWN_APPROVAL,
  readApproval: OWN_APPROVAL,
  waitForApproval: OWN_APPROVAL,
  withdrawApproval: { agent: ['asker'], admin: 'any' },
  /** Only the deciders were shown its contents. */
  listRunEvents: OWN_LIST,
  verifyRunEvents: OWN_LIST,
  subscribeToRun: OWN_LIST,
  /** The whole working memory of an agent, which was shown to no approver. */
  latestSnapshot: { admin: 'any', auditor: 'any' },
  /** The requests of an agent that is not on Temporal about its own approvals. */
  openApproval: WRITE_IT,
  findApproval: WORK,
  redeemCall: ASKER,
  completeCall: ASKER,
  claimCheckpoint: ASKER,
  finishCheckpoint: ASKER,
  reportMutation: ASKER,
  /** The decision itself is an answer, and is judged as `respond` is. */
  resumeRequest: { ...DECIDE, user: ['initiator'] },
  getAccess: READ_IT,
  setAccess: OWNER,
  grantAccess: OWNER,
  revokeAccess: OWNER,
  listAssignments: READ_IT,
  assignAgent: { ...CONTRIBUTE, needs: 'admin' },
  unassignAgent: { ...CONTRIBUTE, needs: 'admin' },
} as const satisfies Readonly<Record<string, Row>>;

const HOLDER = { agent: ['holder'], admin: ['holder'], code: 'lease_not_found' } as const;
/** A deadline ends questions, so setting it requires rights to all intents that it affects. */
const UNDER_DEADLINE = { agent: ['owners'], operator: 'any', admin: 'any' } as const;

const INTENT_RULES = {
  createIntent: { ...WORK, cases: { inAnothersName: ADMIN, asChild: RUN_IT } },
  listIntents: READ,
  getIntent: READ_IT,
  setStatus: {
    ...RUN_IT,
    cases: {
      asks: WRITE_IT,
      endsRefusedAsk: { agent: ['asker'], admin: ['asker'] },
      abandonsSuspended: { agent: ['owner', 'asker', 'holder'], operator: 'any', admin: 'any' },
    },
  },
  patchState: WRITE_IT,
  patchStateOrAsk: WRITE_IT,
  getGovernance: READ_IT,
  setGovernance: OWNER,
  listChildren: READ_IT,
  listRelated: READ_IT,
  readGraph: READ_IT,
  addDependency: WRITE_IT,
  removeDependency: WRITE_IT,
  listLeases: READ_IT,
  acquireLease: WRITE_IT,
  renewLease: HOLDER,
  releaseLease: HOLDER,
  engage: WRITE_IT,
  listEvents: READ_IT,
  appendEvent: { ...WRITE_IT, cases: { aboutOpenQuestion: { agent: ['asker'], admin: 'any' } } },
  verifyEvents: READ_IT,
  exportEvents: { ...OWN_LIST, agent: ['owner'] },
  erasePersonalData: ADMIN,
} as const satisfies Readonly<Record<string, Row>>;

const CONTAINER_RULES = {
  createPortfolio: { ...WORK, cases: { inAnothersName: ADMIN } },
  listPortfolios: READ,
  getPortfolio: READ,
  changePortfolio: { ...WORK, cases: { withDeadline: UNDER_DEADLINE } },
  closePortfolio: WORK,
  addMember: { ...WORK, cases: { withDeadline: UNDER_DEADLINE } },
  removeMember: WORK,
  listMembers: READ,
  listPortfoliosOf: READ_IT,
  listPortfolioEvents: READ,
  verifyPortfolioEvents: READ,
  exportPortfolioEvents: OWN_LIST,
  createTask: WRITE_IT,
  getTask: READ_IT,
  listTasks: READ_IT,
  patchTask: {
    ...WRITE_IT,
    cases: {
      ofAnother: {
        agent: ['assignee', 'maker'],
        admin: 'any',
        code: 'wrong_agent',
        needs: 'write',
      },
      overridesHold: DECIDE,
    },
  },
  claimTask: WRITE_IT,
  createPlan: WRITE_IT,
  getPlan: READ_IT,
  listPlans: READ_IT,
  patchPlan: {
    ...WRITE_IT,
    cases: {
      loosensCheckpoints: DECIDE,
      withdrawsQuestions: { agent: ['maker'], operator: 'any', admin: 'any', needs: 'write' },
    },
  },
  createWorkflow: WORK,
  getWorkflow: READ_IT,
  createCoordinator: { ...RUN_IT, cases: { inAnothersName: ADMIN } },
  getCoordinator: READ,
  listCoordinators: READ_IT,
  heartbeat: HOLDER,
  recordDecision: HOLDER,
  listCoordinatorDecisions: READ_IT,
} as const satisfies Readonly<Record<string, Row>>;

const PUBLIC = { isPublic: true } as const;
const EVERYBODY = { ...READ, user: 'any' } as const;
/** The roles that administer or check the whole installation. */
const AUDIT = { admin: 'any', auditor: 'any', isWhole: true } as const;
/** The roles that read everybody's inbox. An agent's key does not belong in a browser. */
const INBOX = { operator: 'any', admin: 'any', auditor: 'any' } as const;

/**
 * Signing in with a browser, and continuing the session. The proof of who signs in is in the body, so that needs no
 * key.
 */
const SESSION_RULES = {
  openSession: PUBLIC,
  signInMethods: PUBLIC,
  beginSignIn: PUBLIC,
  finishSignIn: PUBLIC,
  readSession: INBOX,
  endSession: INBOX,
  readPush: INBOX,
  startPush: INBOX,
  endPush: INBOX,
  useInbox: INBOX,
} as const satisfies Readonly<Record<string, Row>>;

const SERVER_RULES = {
  health: PUBLIC,
  ready: PUBLIC,
  serverConfig: PUBLIC,
  openApi: PUBLIC,
  discover: PUBLIC,
  /**
   * The token of a link is the proof: it identifies one person and one question, whose answer is judged as `respond`
   * is.
   */
  readLink: PUBLIC,
  answerLink: PUBLIC,
  /** The signature of a channel is the proof: the configuration names its people, and the directory those in Slack. */
  answerByWebhook: PUBLIC,
  answerBySlack: PUBLIC,
  getMe: EVERYBODY,
  readQuietHours: EVERYBODY,
  setQuietHours: EVERYBODY,
  endQuietHours: EVERYBODY,
  /** The tools are judged by rows of their own: `openSuspension`, `waitForSuspension`, `cancelSuspension`. */
  useMcp: WORK,
  /** Shows the results of a space's deliveries, with the names of channels. */
  listChannels: OWN_LIST,
  /** Shows workflow ids of all spaces: those of questions, and those of agents with their task queues. */
  listSetAside: AUDIT,
  listUnattended: AUDIT,
  /** Histories of all spaces. Whoever may decode them reads every question. */
  encodePayloads: AUDIT,
  decodePayloads: AUDIT,
  requestCheckpoint: AUDIT,
  listCheckpoints: AUDIT,
  latestCheckpoint: AUDIT,
  exportLogs: AUDIT,
  registerAgent: { ...WORK, cases: { replacing: { agent: ['maker'], admin: 'any' } } },
  listAgents: READ,
  getAgent: READ,
  beatAgent: { agent: ['maker'], admin: 'any' },
  setAgentStatus: { agent: ['maker'], admin: 'any' },
  subscribeToIntent: READ_IT,
  subscribeToAll: READ,
  subscribeToAgent: READ,
  subscribeToSuspensions: { ...OWN_LIST, agent: ['asker'] },
  subscribeToPortfolio: READ,
  createSubscription: CONTRIBUTE,
  listSubscriptions: { ...OWN_LIST, agent: ['maker'] },
  deleteSubscription: { agent: ['maker'], operator: ['maker'], admin: 'any' },
} as const satisfies Readonly<Record<string, Row>>;

/**
 * Who may do what: one row for each use case, by name. `docs/authorization.md` and the tests that try every row with
 * every kind of key are generated from it.
 */
export const RULES = {
  ...INTENT_RULES,
  ...DECISION_RULES,
  ...CONTAINER_RULES,
  ...SESSION_RULES,
  ...SERVER_RULES,
} as const;

/** An action that needs permission: the name of an operation, `seeQuestionIds` or `useInbox`. */
export type Action = keyof typeof RULES;

export type CaseOf<A extends Action> = (typeof RULES)[A] extends {
  readonly cases: infer Cases;
}
  ? keyof Cases & string
  : never;

export function isPublic(action: Action): boolean {
  return rowOf(action).isPublic === true;
}

export function rowOf(action: Action): Row {
  return RULES[action];
}
