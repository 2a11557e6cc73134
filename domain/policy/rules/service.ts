import type { Row } from '../rule.js';
import { CONTRIBUTE, OWN_LIST, READ, READ_IT, WORK } from './rows.js';

const PUBLIC = { isPublic: true } as const;
/** Every key. */
const EVERYBODY = { ...READ, user: 'any' } as const;
/** The roles that administer or check the whole installation. */
const AUDIT = { admin: 'any', auditor: 'any', isWhole: true } as const;
/** The roles that read everybody's inbox. A browser with an agent's key is in the wrong hands. */
const INBOX = { operator: 'any', admin: 'any', auditor: 'any' } as const;

/** Signing in with a browser, and going on with it. What proves who signs in is in the body, so that needs no key. */
export const SESSION_RULES = {
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

/** The server itself, registrations of agents, streams and webhooks. */
export const SERVER_RULES = {
  health: PUBLIC,
  ready: PUBLIC,
  serverConfig: PUBLIC,
  openApi: PUBLIC,
  discover: PUBLIC,
  /** The token of a link is the proof: it stands for one person and one question, for whose answer `respond` is judged. */
  readLink: PUBLIC,
  answerLink: PUBLIC,
  /** The signature of a channel is the proof: the configuration names its people, and the directory those of Slack. */
  answerByWebhook: PUBLIC,
  answerBySlack: PUBLIC,
  getMe: EVERYBODY,
  readQuietHours: EVERYBODY,
  setQuietHours: EVERYBODY,
  endQuietHours: EVERYBODY,
  /** The tools have rows of their own: `openSuspension`, `waitForSuspension`, `cancelSuspension`. */
  useMcp: WORK,
  /** Shows how deliveries of a space went, with the names of channels. */
  listChannels: OWN_LIST,
  /** Ids of workflows of all spaces: those of questions, and those of agents with the names of their task queues. */
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
