/** What is later than this is reported, which is more than a quiet machine takes; nothing may be early. */
export const TOLERANCE_MS = 2_500;

/** What is not as planned of something that came so many milliseconds after its instant; undefined if it is on time or late. */
export function earliness(what: string, lateMs: number): string | undefined {
  return lateMs < 0 ? `${what} is ${-lateMs} ms early` : undefined;
}

/** Reports what comes late. A busy machine breaks no promise: only what is early, missing or in another order is not as planned. */
export class Lateness {
  private readonly note: (text: string) => void;
  private readonly toleranceMs: number;
  private latest = 0;
  private count = 0;

  constructor(note: (text: string) => void, toleranceMs: number = TOLERANCE_MS) {
    this.note = note;
    this.toleranceMs = toleranceMs;
  }

  /** Looks at how late something came, in milliseconds. */
  see(what: string, lateMs: number): void {
    if (lateMs <= this.toleranceMs) return;
    this.count += 1;
    this.latest = Math.max(this.latest, lateMs);
    this.note(`${what} is ${lateMs} ms late: the machine is busy`);
  }

  /** How punctual it was, for the end of a sentence. */
  get summary(): string {
    const most = `over ${this.toleranceMs / 1_000} s late`;
    if (this.count === 0) return `nothing early, nothing ${most}`;
    return `nothing early, ${this.count} ${most} on a busy machine (${this.latest} ms at most)`;
  }
}

/** A part of the demo: resolves with what is not as planned, or with undefined. */
export type Story = () => Promise<string | undefined>;

/** Plays one story after the other up to the first difference. */
export async function playInTurn(stories: readonly Story[]): Promise<string | undefined> {
  for (const play of stories) {
    const difference = await play();
    if (difference !== undefined) return difference;
  }
  return undefined;
}
