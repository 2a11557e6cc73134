/**
 * RFC-0026 §9 has an hour between two attempts; it is shown as so many seconds. Where the worker is killed it
 * takes longer: Temporal gives a task that died with its worker to another only after 10 s.
 */
export const INTERVAL_SECONDS = { calm: 6, killed: 20 } as const;
/** A row that is later than this is reported, not counting the time without a worker; none may be early. */
export const TOLERANCE_MS = 4_000;
/** A row that is not there after so long, in milliseconds and likewise, is not late but missing. */
export const MISSING_MS = 60_000;
const HOUR_SECONDS = 3_600;

/** Milliseconds for so many seconds of the RFC, where an hour is shown as `intervalSeconds`. */
export function paced(seconds: number, intervalSeconds: number): number {
  return Math.round((seconds * intervalSeconds * 1_000) / HOUR_SECONDS);
}

/** Seconds of the RFC after the question. */
export const AT = {
  asked: 0,
  reminded: 3_600,
  deadline: 5_000,
  paged: 7_200,
  expired: 10_800,
} as const;
/** What the agent of the third phase takes for its report, T+5400 to T+5500. */
export const REPORT_SECONDS = 100;

/** One way in which the story goes. */
export interface Variant {
  readonly name: string;
  readonly says: string;
  /** When an operator answers; nobody does where it is absent. */
  readonly answered?: number;
  /** When the portfolio's deadline comes, where it is to matter. */
  readonly deadline?: number;
}

/** The story of the RFC, and what follows from its policy where it goes otherwise. */
export const VARIANTS: readonly Variant[] = [
  { name: 'rfc', says: 'an operator answers after the first reminder, T+5400', answered: 5_400 },
  {
    name: 'td-04',
    says: 'an operator answers once the supervisor was paged, T+9000',
    answered: 9_000,
  },
  { name: 'td-05', says: 'nobody answers, and the policy is to fail' },
  {
    name: 'td-06',
    says: 'the deadline of the portfolio comes first, T+5000',
    deadline: AT.deadline,
  },
];

export const PHASES = ['fetch_data', 'compliance_review', 'generate_report'] as const;
export type PhaseName = (typeof PHASES)[number];

/** Body of `POST /v1/workflows`. */
export const WORKFLOW = {
  title: 'Compliance',
  phases: {
    fetch_data: { outputs: { rows: 'array' } },
    compliance_review: {
      depends_on: ['fetch_data'],
      inputs: { rows: 'fetch_data.rows' },
      outputs: { verdict: 'string' },
    },
    generate_report: {
      depends_on: ['compliance_review'],
      inputs: { verdict: 'compliance_review.verdict' },
      outputs: { report: 'string' },
    },
  },
};

export function headerOf(intervalSeconds: number): readonly string[] {
  return [
    'Three agents, each in a process of its own, work on three phases; the second asks a person to sign off.',
    'A portfolio, a plan and a coordinator watch. Each row of RFC-0026 §9 is checked against the API at its',
    `instant: an hour is shown as ${intervalSeconds} s. Times count from the moment of asking; planned stands beside actual.`,
  ];
}
