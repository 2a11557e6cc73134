const KIB = 1024;

/** Limits of what a request may contain. Bytes are counted in JSON as UTF-8. */
export const LIMITS = {
  bodyBytes: 256 * KIB,
  /** A body of payloads to encode or decode: one of 2 MB, which Temporal takes at most, in base64. */
  codecBytes: 3 * 1024 * KIB,
  /** The payloads in one such body. */
  payloads: 1_000,
  /** The entries of lists and maps that are checked one by one, in one request. */
  checkedEntries: 10_000,
  /** The refused fields that one error names. */
  reportedIssues: 20,
  questionCharacters: 2_000,
  contextBytes: 64 * KIB,
  /** A question with its context, choices, fallback value and retry policy. */
  questionBytes: 96 * KIB,
  /** The schema of an answer, with what each `$ref` names in its place. */
  schemaBytes: 16 * KIB,
  /** How deep a schema, or a value that is judged by one, is nested. */
  schemaDepth: 32,
  /** The values within a value that is judged by a schema. */
  schemaValues: 1_000,
  /** The values of an answer times the schemas that each is compared with, about a microsecond each. */
  schemaWork: 30_000,
  /** How deep a schema is nested with what each `$ref` names in its place. */
  schemaExpandedDepth: 64,
  patternCharacters: 256,
  /** Characters of all patterns of a schema, and of all schemas of one approval, because compiling a pattern takes long. */
  patternCharactersTogether: 2_000,
  /** The value of an answer with its metadata. */
  answerBytes: 64 * KIB,
  /** The part of a link to a question after the #. */
  linkTokenCharacters: 4_000,
  choices: 100,
  /** Tool calls that one approval decides on together. */
  proposedCalls: 100,
  /** The arguments that a row of a list shows of a call. */
  summaryPaths: 5,
  /** The names of these arguments, for all calls of an approval. */
  summaryBytes: 4 * KIB,
  /** The arguments of one call of a turn. */
  callBytes: 256 * KIB,
  /** The calls of a turn count together, because the rules judge them together. */
  turnBytes: 1_024 * KIB,
  proposalBytes: 64 * KIB,
  /** The state that an agent saves while it waits for an approval. */
  snapshotBytes: 1_024 * KIB,
  /** The state that an agent leaves with its approval while it is gone. */
  agentCheckpointBytes: 128 * KIB,
  /** The results of all redeemed calls of an approval. */
  redeemedBytes: 64 * KIB,
  /** The key of an approval: a run, the id of a call, and a hash. */
  requestKeyCharacters: 600,
  searchedWords: 10,
  /** Versions of one proposal: the timeline keeps each edit, and all votes on each. */
  proposalVersions: 10,
  /** How deep edited arguments are nested; no request is deeper. */
  argumentsDepth: 100,
  /** Votes on one question. Together they are no larger than one answer may be. */
  votes: 25,
  /** The value of a vote with its metadata, where several people decide. */
  voteBytes: 1 * KIB,
  /** The value alone. */
  voteValueBytes: 256,
  denialCharacters: 2_000,
  /** A change of the people who are eligible. */
  eligibilityBytes: 16 * KIB,
  /** How often somebody may change who is eligible for one question: its timeline keeps each change. */
  eligibilityChanges: 10,
  claimSeconds: 1_800,
  /** The longest snooze: 90 days. */
  snoozeSeconds: 7_776_000,
  /** Questions that one person has put off at once. */
  snoozes: 500,
  /** Views of the inbox that one person has saved. */
  savedViews: 50,
  viewNameCharacters: 60,
  /** Questions that one request answers. */
  bulkAnswers: 100,
  comments: 50,
  commentCharacters: 2_000,
  delegations: 10,
  /** People who are suggested to delegate a question to, at once. */
  candidates: 100,
  amendments: 10,
  /** The actions of people on one question besides answers, in its timeline. */
  verbsBytes: 108 * KIB,
  /** Two thirds of that, so that talk leaves room for claims, delegations and amendments. */
  commentsBytes: 72 * KIB,
  attempts: 100,
  ladderEntries: 200,
  /** One workflow task starts a delivery for each, with the whole question. */
  ladderEntriesPerAttempt: 20,
  /** The most people in a group. One delivery reaches each of them. */
  groupPeople: 50,
  intentStateBytes: 512 * KIB,
  /** The constraints of an intent, or its governance policy. */
  intentFieldBytes: 64 * KIB,
  accessBytes: 16 * KIB,
  /** The access lists of all intents that a new plan has tasks of. */
  planAccessBytes: 128 * KIB,
  leasesPerIntent: 100,
  leasesBytes: 64 * KIB,
  heartbeatSeconds: 86_400,
  membersAtCreation: 100,
  membersPerPortfolio: 10_000,
  portfolioFieldBytes: 32 * KIB,
  dependenciesPerIntent: 100,
  /** Coordinators that hold the phases wired to one intent at once. */
  holdersPerIntent: 100,
  eventTypes: 100,
  titleCharacters: 500,
  textCharacters: 20_000,
  nameCharacters: 200,
  patchPathCharacters: 4_000,
  planTasks: 200,
  /** A plan as somebody made it: its tasks by name and dependencies, checkpoints, conditions and metadata. */
  planBytes: 512 * KIB,
  /** The input of a task: its definition, and the dependencies, types and values that it refers to. */
  taskBytes: 256 * KIB,
  /** The inputs of all tasks that are made with a plan, together. */
  planTasksBytes: 1_152 * KIB,
  listedNames: 100,
  /** The days that one report of questions covers. */
  reportDays: 366,
  /** The groups that it has, by anything but the day. */
  reportGroups: 100,
  /** Things that wait for one question and are listed and counted. */
  blocked: 100,
  /** The groups of a caller, which every message to a workflow carries. As many as Entra ID puts into a token. */
  groups: 200,
  groupBytes: 16 * KIB,
  taskInputBytes: 64 * KIB,
  taskOutputBytes: 64 * KIB,
  waitSeconds: 60,
  pageSize: 1_000,
  defaultPageSize: 100,
  /** How many bytes of JSON a page of a list holds, unless its first entry alone is larger. */
  pageBytes: 2_048 * KIB,
  /** How many bytes a page of whole entries holds, with state, output and metadata. */
  wholePageBytes: 8_192 * KIB,
  inboxPageSize: 200,
  defaultInboxPageSize: 50,
  /** 100 years. Every instant within this window can be represented by Date and by Temporal. */
  windowSeconds: 3_155_760_000,
} as const;

/** Limits that keep the history and the payloads of workflows within those of Temporal. */
export const WORKFLOW_LIMITS = {
  historyEvents: 1_000,
  carriedBytes: 1_300 * KIB,
  /** A question with its timeline; what a run starts with comes on top. Temporal accepts 2 MB for both. */
  suspensionCarriedBytes: 1_610 * KIB,
  keptRefusedAnswers: 50,
  keptRequestKeys: 500,
  /** Writes under an Idempotency-Key that one workflow recognises: some 12 kB, which no measure counts. */
  keptWrites: 100,
  /** The results of these writes, together; no measure counts them either. */
  keptResultBytes: 8 * KIB,
  keptRequestKeyBytes: 64 * KIB,
  keptRecordedBytes: 96 * KIB,
  keptGovernanceBytes: 32 * KIB,
  keptRecordedQuestions: 10,
  keptNoteBytes: 64 * KIB,
  journalBatchRows: 200,
  journalBatchBytes: 256 * KIB,
  handedOverBytes: 64 * KIB,
  /** The most that an Update returns of an entity. A larger one is then read by Query. */
  resultBytes: 256 * KIB,
  /** Enough for 10,000 suspended members and the portfolio itself. Temporal accepts 2 MB. */
  portfolioCarriedBytes: 1_800 * KIB,
  /** The names of those who own the members of a portfolio, each once. */
  keptOwnerBytes: 64 * KIB,
  /** How many questions one activity ends when a deadline comes. */
  deadlineBatch: 250,
  /** Enough for 200 tasks, each of which failed and was decided about. */
  planCarriedBytes: 1_750 * KIB,
  /** The part of a task's error that a plan keeps: 2,000 plain characters. */
  keptErrorBytes: 2 * KIB,
  /** The outputs of its dependencies that a task keeps, and the inputs that a claim makes of them. */
  upstreamBytes: 256 * KIB,
  /** The news of a task that go to its observers in one batch, of which eight are under way at once. */
  newsBatchBytes: 128 * KIB,
  /** Tasks are read from the store together: each may have an output of 64 KiB. */
  readTasks: 16,
  /** Added to `carriedBytes`; enough for about 14,000 workflow ids. Temporal accepts 2 MB for both. */
  observerBytes: 700 * KIB,
  /** A workflow signals at most this many observers itself. For more, an activity signals them in batches. */
  directAnnouncements: 20,
  announcementBatch: 250,
} as const;

/** The revision of a question that is settled without its lost suspension: above all that are still under way. */
export const LAST_REVISION = 2_000_000_000;
