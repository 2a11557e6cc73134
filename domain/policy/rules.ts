import type { Row } from './rule.js';

export type { Grant, Relation, Rule } from './rule.js';

const PUBLIC = { isPublic: true } as const;
const READ = { agent: 'any', operator: 'any', admin: 'any', auditor: 'any' } as const;
/** Agents see their own, everyone else sees all. */
const OWN_LIST = { operator: 'any', admin: 'any', auditor: 'any' } as const;
/** Whoever asked, and the user for whom it was asked, see their own. */
const OWN_APPROVAL = { ...OWN_LIST, agent: ['asker'], user: ['initiator'] } as const;
/** Whoever has a key. */
const EVERYBODY = { ...READ, user: 'any' } as const;
const WORK = { agent: 'any', admin: 'any' } as const;
/** Whoever does not only read. */
const CONTRIBUTE = { agent: 'any', operator: 'any', admin: 'any' } as const;
/** What only people decide. */
const DECIDE = { operator: 'any', admin: 'any' } as const;
/** A user decides about what was asked for it. */
const ANSWER = { ...DECIDE, user: ['initiator'] } as const;
/** What waits for no person is in no operator's inbox. */
const PAUSE_LIST = { agent: ['asker'], admin: 'any', auditor: 'any' } as const;
const HOLDER = { agent: ['holder'], admin: ['holder'], code: 'lease_not_found' } as const;
const ADMIN = { admin: 'any' } as const;
/** Who looks after the whole installation, or checks it. */
const AUDIT = { admin: 'any', auditor: 'any', isWhole: true } as const;
/** What an intent's owner decides. */
const OWNER = { agent: ['owner'], admin: 'any' } as const;
/** What only who asked goes on with. */
const ASKER = { agent: ['asker'], admin: 'any' } as const;
/** The same to one intent, as far as its access list lets an agent. */
const READ_IT = { ...READ, needs: 'read' } as const;
const WRITE_IT = { ...WORK, needs: 'write' } as const;
const RUN_IT = { ...WORK, needs: 'admin' } as const;
/** A deadline ends questions, so it needs a say over the intents that it reaches. */
const UNDER_DEADLINE = { agent: ['owners'], operator: 'any', admin: 'any' } as const;

/** Intents: their state, log, questions, leases and place in the graph. */
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

/** Questions, and the records of an intent's log that stand for a decision. */
const DECISION_RULES = {
  suspend: WRITE_IT,
  openSuspension: WORK,
  cancelSuspension: { agent: ['asker'], admin: 'any' },
  respond: {
    ...ANSWER,
    cases: { inAnothersName: { ...ADMIN, code: 'responded_by_mismatch' } },
  },
  respondToMany: ANSWER,
  /** A pause, with its signal; a question is settled by those alone who may answer it. */
  resumeSuspension: {
    agent: ['asker', 'named'],
    operator: ['named'],
    user: ['named'],
    admin: 'any',
    cases: { ofQuestion: ANSWER },
  },
  /** Whoever may answer, if the decision rule makes it eligible. */
  claimSuspension: ANSWER,
  releaseSuspension: { operator: ['claimer'], user: ['claimer'], admin: 'any' },
  commentOnSuspension: { ...ANSWER, agent: ['asker'] },
  /** Nothing that is asked for a user: an approval is not passed on. */
  delegateSuspension: DECIDE,
  /** Whoever asked corrects what it asked. */
  amendSuspension: { agent: ['asker'], admin: 'any' },
  /** Who is eligible decides who decides, so nobody makes itself eligible. */
  changeEligibility: ADMIN,
  eraseSuspension: ADMIN,
  getSuspension: READ_IT,
  getBlocks: READ_IT,
  waitForSuspension: READ_IT,
  verifyTimeline: READ_IT,
  exportTimeline: READ_IT,
  listSuspensions: { ...OWN_LIST, agent: ['asker'], cases: { ofPauses: PAUSE_LIST } },
  countSuspensions: { ...OWN_LIST, agent: ['asker'], cases: { ofPauses: PAUSE_LIST } },
  /** The whole id of a question, half of what an answer needs; others read it shortened. */
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
  /** What is in it was shown to whoever decided, and to nobody else. */
  listRunEvents: OWN_LIST,
  verifyRunEvents: OWN_LIST,
  subscribeToRun: OWN_LIST,
  /** The whole working memory of an agent, which no approver was shown. */
  latestSnapshot: { admin: 'any', auditor: 'any' },
  /** What an agent that is not on Temporal does with its own approvals. */
  openApproval: WRITE_IT,
  findApproval: WORK,
  redeemCall: ASKER,
  completeCall: ASKER,
  claimCheckpoint: ASKER,
  finishCheckpoint: ASKER,
  reportMutation: ASKER,
  /** The decision itself is an answer, and judged as `respond` is. */
  resumeRequest: { ...DECIDE, user: ['initiator'] },
  getAccess: READ_IT,
  setAccess: OWNER,
  grantAccess: OWNER,
  revokeAccess: OWNER,
  listAssignments: READ_IT,
  assignAgent: { ...CONTRIBUTE, needs: 'admin' },
  unassignAgent: { ...CONTRIBUTE, needs: 'admin' },
} as const satisfies Readonly<Record<string, Row>>;

/** What groups intents, and the work in them. */
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

/**
 * Who reads what the inbox shows: questions of everybody. A user sees only what was asked for it, by its links and in the
 * API of approvals. An agent has no inbox: a browser with its key is in the wrong hands.
 */
const INBOX = { operator: 'any', admin: 'any', auditor: 'any' } as const;

/** Signing in with a browser. What proves who signs in is in the body, so opening a session needs no key. */
const SESSION_RULES = {
  openSession: PUBLIC,
  signInMethods: PUBLIC,
  beginSignIn: PUBLIC,
  finishSignIn: PUBLIC,
  readSession: INBOX,
  endSession: INBOX,
  /** To open a session, and to go on with it. */
  useInbox: INBOX,
} as const satisfies Readonly<Record<string, Row>>;

/** The server itself, registrations of agents, streams and webhooks. */
const SERVER_RULES = {
  health: PUBLIC,
  ready: PUBLIC,
  serverConfig: PUBLIC,
  openApi: PUBLIC,
  discover: PUBLIC,
  /** The token of a link is the proof: it stands for one person and one question, for whose answer `respond` is judged. */
  readLink: PUBLIC,
  answerLink: PUBLIC,
  /** The signature of a channel is the proof, which the configuration lets answer for some people. */
  answerByWebhook: PUBLIC,
  /** The signature of Slack is the proof, and the directory says which member is whom. */
  answerBySlack: PUBLIC,
  getMe: EVERYBODY,
  /** What is done through it has a row of its own: `openSuspension`, `waitForSuspension`, `cancelSuspension`. */
  useMcp: WORK,
  /** How deliveries of their space went, with the names of channels. */
  listChannels: OWN_LIST,
  /** The ids of workflows of all spaces, with those of questions. */
  listSetAside: AUDIT,
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
 * Who may do what: one row for each operation, by its name in `api/operations`. `docs/authorization.md` is made
 * from it, and so are the tests that try every operation with every kind of key.
 */
export const RULES = {
  ...INTENT_RULES,
  ...DECISION_RULES,
  ...CONTAINER_RULES,
  ...SESSION_RULES,
  ...SERVER_RULES,
} as const;

/** What somebody may do: an operation by its name, `seeQuestionIds` or `useInbox`. */
export type Action = keyof typeof RULES;

/** The cases of an action that have a rule of their own. */
export type CaseOf<A extends Action> = (typeof RULES)[A] extends {
  readonly cases: infer Cases;
}
  ? keyof Cases & string
  : never;

/** Whether an action needs no key. */
export function isPublic(action: Action): boolean {
  return rowOf(action).isPublic === true;
}

/** The row of an action, without its literal types. */
export function rowOf(action: Action): Row {
  return RULES[action];
}
