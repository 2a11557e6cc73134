import type { Row } from '../rule.js';
import { ADMIN, DECIDE, OWNER, OWN_LIST, READ, READ_IT, RUN_IT, WORK, WRITE_IT } from './rows.js';

const HOLDER = { agent: ['holder'], admin: ['holder'], code: 'lease_not_found' } as const;
/** A deadline ends questions, so it needs a say over the intents that it reaches. */
const UNDER_DEADLINE = { agent: ['owners'], operator: 'any', admin: 'any' } as const;

/** Intents: their state, log, questions, leases and place in the graph. */
export const INTENT_RULES = {
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

/** The things that group intents and their work. */
export const CONTAINER_RULES = {
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
