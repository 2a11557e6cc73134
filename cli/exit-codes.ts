/**
 * How a command for people ends, for the scripts that run it. The numbers stay as they are; `docs/cli.md` lists them.
 */
export const EXIT = {
  /** It is done. Of `ask`: the answer is known to be a go. */
  done: 0,
  /** `ask`: the answer denies. `doctor`: something has to be mended. */
  no: 1,
  /** The command cannot be understood, and nothing was sent. */
  usage: 2,
  /** Holdpoint refuses what was sent; nothing has changed. */
  refused: 3,
  /** No key, a key that is not accepted, or one that may not do this. */
  notAllowed: 4,
  /** Holdpoint cannot be reached, or cannot do it now. */
  unavailable: 5,
  /** `ask`: nobody answered in time, and there is no fallback. */
  nobody: 6,
  /** `ask`: the question was withdrawn. */
  withdrawn: 7,
  /** An answer is kept and will be judged, but no worker has taken it yet. */
  handedOver: 8,
  /** `ask`: there is an answer, or a fallback, and nothing says whether it denies. */
  unclear: 9,
  /** A defect of the command itself. */
  defect: 70,
  /** What there is to print could not be written, as on a full disk. */
  unwritten: 74,
  /** Ctrl-C. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
