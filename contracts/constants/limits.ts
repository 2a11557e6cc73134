const KIB = 1024;

/** Limits of what a request may contain. Bytes are counted in JSON as UTF-8. */
export const LIMITS = {
  bodyBytes: 256 * KIB,
  questionCharacters: 2_000,
  contextBytes: 64 * KIB,
  choices: 100,
  attempts: 100,
  ladderEntries: 200,
  intentStateBytes: 512 * KIB,
  leasesPerIntent: 100,
  heartbeatSeconds: 86_400,
  membersAtCreation: 100,
  membersPerPortfolio: 10_000,
  portfolioFieldBytes: 32 * KIB,
  dependenciesPerIntent: 100,
  eventTypes: 100,
  titleCharacters: 500,
  textCharacters: 20_000,
  nameCharacters: 200,
  planTasks: 200,
  listedNames: 100,
  taskInputBytes: 64 * KIB,
  taskOutputBytes: 64 * KIB,
  waitSeconds: 60,
  pageSize: 1_000,
  defaultPageSize: 100,
  inboxPageSize: 200,
  defaultInboxPageSize: 50,
  /** 100 years. Every instant within this window can be represented by Date and by Temporal. */
  windowSeconds: 3_155_760_000,
} as const;

/** Limits that keep the history and the payloads of workflows within those of Temporal. */
export const WORKFLOW_LIMITS = {
  historyEvents: 1_000,
  carriedBytes: 1_000 * KIB,
  keptRefusedAnswers: 50,
  keptRequestKeys: 500,
  keptRecordedBytes: 256 * KIB,
  keptRecordedQuestions: 10,
  keptNoteBytes: 64 * KIB,
  journalBatchRows: 200,
  journalBatchBytes: 256 * KIB,
  handedOverBytes: 64 * KIB,
  /** Enough for 10,000 suspended members and the portfolio itself. Temporal accepts 2 MB. */
  portfolioCarriedBytes: 1_800 * KIB,
  /** How many questions one activity ends when a deadline comes. */
  deadlineBatch: 250,
  /** How many bytes of the outputs of its dependencies a task keeps. */
  upstreamBytes: 512 * KIB,
  /**
   * Comes on top of `carriedBytes` and is enough for about 14,000 workflow ids. Temporal accepts 2 MB for
   * both.
   */
  observerBytes: 700 * KIB,
  /** A workflow signals at most this many observers itself. For more, an activity signals them in batches. */
  directAnnouncements: 20,
  announcementBatch: 250,
} as const;
