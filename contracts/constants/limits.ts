const KIB = 1024;

/** Sizes and counts beyond which a request is refused; byte sizes count UTF-8 JSON. */
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
  /** 100 years; keeps every instant inside what Date and Temporal can hold. */
  windowSeconds: 3_155_760_000,
} as const;

/** Bounds that workflows keep so that no history or payload outgrows Temporal. */
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
  /** 10,000 members, all suspended, and what else a portfolio has; under Temporal's 2 MB. */
  portfolioCarriedBytes: 1_800 * KIB,
  /** Questions that one activity ends. */
  deadlineBatch: 250,
  /** What a task keeps of the outputs it depends on. */
  upstreamBytes: 512 * KIB,
  /** Beside `carriedBytes`; about 14,000 workflow ids. Both together stay under Temporal's 2 MB. */
  observerBytes: 700 * KIB,
  /** More observers than this are told by an activity, in batches. */
  directAnnouncements: 20,
  announcementBatch: 250,
} as const;
