const KIB = 1024;

/** Limits of what a request may contain. Bytes are counted in JSON as UTF-8. */
export const LIMITS = {
  bodyBytes: 256 * KIB,
  /** A body of payloads to encode or decode: up to 2 MB, which is Temporal's limit, in base64. */
  codecBytes: 3 * 1024 * KIB,
  /** The number of payloads in one such body. */
  payloads: 1_000,
  /** The entries of lists and maps that are checked one by one, in one request. */
  checkedEntries: 10_000,
  /** The refused fields that one error names. */
  reportedIssues: 20,
  questionCharacters: 2_000,
  contextBytes: 64 * KIB,
  /** A question with its context, choices, fallback value and retry policy. */
  questionBytes: 96 * KIB,
  /** The schema of an answer, with every `$ref` expanded. */
  schemaBytes: 16 * KIB,
  /** The nesting depth of a schema, and of a value that is checked against one. */
  schemaDepth: 32,
  /** The number of values within a value that is checked against a schema. */
  schemaValues: 1_000,
  schemaWork: 30_000,
  /** The nesting depth of a schema with every `$ref` expanded. */
  schemaExpandedDepth: 64,
  patternCharacters: 256,
  /** Characters of all patterns of a schema, and of all schemas of one approval, because compiling a pattern takes long. */
  patternCharactersTogether: 2_000,
  answerBytes: 64 * KIB,
  linkTokenCharacters: 4_000,
  choices: 100,
  proposedCalls: 100,
  /** How many arguments of a call a list shows. */
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
  /** The state that an agent saves with its approval before it stops. */
  agentCheckpointBytes: 128 * KIB,
  redeemedBytes: 64 * KIB,
  /** The key of an approval: a run, the id of a call, and a hash. */
  requestKeyCharacters: 600,
  searchedWords: 10,
  /** The versions of one proposal: the timeline keeps each edit, and all votes on each. */
  proposalVersions: 10,
  /** The nesting depth of edited arguments; no request is nested deeper. */
  argumentsDepth: 100,
  /** The votes on one question. Together they are no larger than one answer may be. */
  votes: 25,
  voteBytes: 1 * KIB,
  /** The value of such a vote alone. */
  voteValueBytes: 256,
  denialCharacters: 2_000,
  eligibilityBytes: 16 * KIB,
  /** How often somebody may change who is eligible for one question: its timeline keeps each change. */
  eligibilityChanges: 10,
  claimSeconds: 1_800,
  /** The longest snooze: 90 days. */
  snoozeSeconds: 7_776_000,
  /** The questions that one person has snoozed at once. */
  snoozes: 500,
  savedViews: 50,
  viewNameCharacters: 60,
  bulkAnswers: 100,
  comments: 50,
  commentCharacters: 2_000,
  delegations: 10,
  /** The suggested people to whom a question could be delegated, in one list. */
  candidates: 100,
  amendments: 10,
  /** The actions of people on one question besides answers, in its timeline. */
  verbsBytes: 108 * KIB,
  /** Two thirds of `verbsBytes`, so that comments leave room for claims, delegations and amendments. */
  commentsBytes: 72 * KIB,
  attempts: 100,
  ladderEntries: 200,
  /** One workflow task starts a delivery for each entry, with the whole question. */
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
  /** A plan in its request: its tasks by name and dependencies, checkpoints, conditions and metadata. */
  planBytes: 512 * KIB,
  /** The input of a task: its definition, and the dependencies, types and values that it refers to. */
  taskBytes: 256 * KIB,
  /** The inputs of all tasks that are made with a plan, together. */
  planTasksBytes: 1_152 * KIB,
  listedNames: 100,
  reportDays: 366,
  /** The groups in such a report, if grouped by anything but the day. */
  reportGroups: 100,
  /** How many things that wait for one question are listed and counted. */
  blocked: 100,
  /** The groups of a caller, which every message to a workflow contains. Entra ID puts as many into a token. */
  groups: 200,
  groupBytes: 16 * KIB,
  taskInputBytes: 64 * KIB,
  taskOutputBytes: 64 * KIB,
  waitSeconds: 60,
  pageSize: 1_000,
  defaultPageSize: 100,
  /** The bytes of JSON in a page of a list, unless its first entry alone is larger. */
  pageBytes: 2_048 * KIB,
  /** The bytes in a page of whole entries, with state, output and metadata. */
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
  /** A question with its timeline, without the input of a run. Temporal accepts 2 MB for both. */
  suspensionCarriedBytes: 1_610 * KIB,
  keptRefusedAnswers: 50,
  keptRequestKeys: 500,
  /** The writes under an Idempotency-Key that one workflow recognises. They take some 12 kB, which no limit counts. */
  keptWrites: 100,
  /** The results of these writes together, which no limit counts either. */
  keptResultBytes: 8 * KIB,
  keptRequestKeyBytes: 64 * KIB,
  keptRecordedBytes: 96 * KIB,
  keptGovernanceBytes: 32 * KIB,
  keptRecordedQuestions: 10,
  keptNoteBytes: 64 * KIB,
  journalBatchRows: 200,
  journalBatchBytes: 256 * KIB,
  handedOverBytes: 64 * KIB,
  /** The largest entity that an Update returns; a larger one is read by Query. */
  resultBytes: 256 * KIB,
  /** Enough for 10,000 suspended members and the portfolio itself. Temporal accepts 2 MB. */
  portfolioCarriedBytes: 1_800 * KIB,
  /** The names of the owners of a portfolio's members, each once. */
  keptOwnerBytes: 64 * KIB,
  deadlineBatch: 250,
  /** Enough for 200 tasks, each of which failed and was decided about. */
  planCarriedBytes: 1_750 * KIB,
  /** The part of a task's error that a plan keeps: 2,000 plain characters. */
  keptErrorBytes: 2 * KIB,
  /** The outputs of its dependencies that a task keeps, and the inputs that a claim derives from them. */
  upstreamBytes: 256 * KIB,
  /** The news of a task in one batch for its observers; eight batches are sent at once. */
  newsBatchBytes: 128 * KIB,
  /** The tasks that one read of the store returns: each may have an output of 64 KiB. */
  readTasks: 16,
  /** Added to `carriedBytes`; enough for about 14,000 workflow ids. Temporal accepts 2 MB for both. */
  observerBytes: 700 * KIB,
  /** A workflow signals at most this many observers itself. For more, an activity signals them in batches. */
  directAnnouncements: 20,
  announcementBatch: 250,
} as const;

/** The revision of a question that is settled without its lost suspension: higher than any pending revision. */
export const LAST_REVISION = 2_000_000_000;
