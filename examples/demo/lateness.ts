/** How late a line, a reminder or a tier may be on a busy machine; none may be early. */
export const TOLERANCE_MS = 2_500;

/** What is not as planned of something that came so many milliseconds after its instant; undefined if it is on time or late. */
export function earliness(what: string, lateMs: number): string | undefined {
  return lateMs < 0 ? `${what} is ${-lateMs} ms early` : undefined;
}

/** Notes what comes too late. The stories play on, for a busy machine breaks no promise, but the run ends as not as planned. */
export class Lateness {
  private readonly note: (text: string) => void;
  private readonly toleranceMs: number;
  private readonly found: string[] = [];

  constructor(note: (text: string) => void, toleranceMs: number = TOLERANCE_MS) {
    this.note = note;
    this.toleranceMs = toleranceMs;
  }

  /** Looks at how late something came, in milliseconds. */
  see(what: string, lateMs: number): void {
    if (lateMs <= this.toleranceMs) return;
    const late = `${what} is ${lateMs} ms late`;
    this.found.push(late);
    this.note(`${late}: the machine may be too busy for a story of seconds`);
  }

  /** What is not as planned; undefined if nothing came too late. */
  get difference(): string | undefined {
    if (this.found.length === 0) return undefined;
    return `${this.found.join('; ')}; up to ${this.toleranceMs} ms were allowed`;
  }
}

/** A part of the demo: resolves with what is not as planned, or with undefined. */
export type Story = () => Promise<string | undefined>;

/** Plays one story after the other up to the first difference. What came too late is told at the end. */
export async function playInTurn(
  stories: readonly Story[],
  late: Lateness,
): Promise<string | undefined> {
  for (const play of stories) {
    const difference = await play();
    if (difference !== undefined) return difference;
  }
  return late.difference;
}
