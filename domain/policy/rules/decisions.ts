import type { Row } from '../rule.js';
import {
  ADMIN,
  CONTRIBUTE,
  DECIDE,
  OWNER,
  OWN_LIST,
  READ_IT,
  RUN_IT,
  WORK,
  WRITE_IT,
} from './rows.js';

/** The asker, and the user for whom it was asked, may see it. */
const OWN_APPROVAL = { ...OWN_LIST, agent: ['asker'], user: ['initiator'] } as const;
/** A user decides about what was asked for it. */
const ANSWER = { ...DECIDE, user: ['initiator'] } as const;
/** A suspension that waits for no person is in no operator's inbox. */
const PAUSE_LIST = { agent: ['asker'], admin: 'any', auditor: 'any' } as const;
/** The actions that are for the asker only. */
const ASKER = { agent: ['asker'], admin: 'any' } as const;

/** Questions, and the records of an intent's log that stand for a decision. */
export const DECISION_RULES = {
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
  /** The roles that may answer, if the decision rule makes them eligible. */
  claimSuspension: ANSWER,
  releaseSuspension: { operator: ['claimer'], user: ['claimer'], admin: 'any' },
  commentOnSuspension: { ...ANSWER, agent: ['asker'] },
  /** For their own lists in the inbox; only these roles have one in which questions wait for them. */
  snoozeSuspension: DECIDE,
  endSnooze: DECIDE,
  listSnoozes: DECIDE,
  /** Their own, of what they list. */
  listSavedViews: OWN_LIST,
  saveView: OWN_LIST,
  deleteSavedView: OWN_LIST,
  /** Nothing that is asked for a user: an approval is not passed on. */
  delegateSuspension: DECIDE,
  /** To whom: the names of people, so only for who may delegate. */
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
  /** Names nobody who answers. */
  reportEngagement: OWN_LIST,
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
  /** Its contents were shown to the deciders only. */
  listRunEvents: OWN_LIST,
  verifyRunEvents: OWN_LIST,
  subscribeToRun: OWN_LIST,
  /** The whole working memory of an agent, which no approver was shown. */
  latestSnapshot: { admin: 'any', auditor: 'any' },
  /** The requests of an agent off Temporal about its own approvals. */
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
