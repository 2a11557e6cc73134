/** The exit codes of commands for people, for scripts. The numbers never change; `docs/cli.md` lists them. */
export const EXIT = {
  /** Done. `ask`: the answer is known to be a go. */
  done: 0,
  /** `ask`: the answer denies. `doctor`: something must be fixed. */
  no: 1,
  /** The command line is invalid, and nothing was sent. */
  usage: 2,
  /** Holdpoint refuses the request; nothing has changed. */
  refused: 3,
  /** The key is missing, invalid, or not allowed to do this. */
  notAllowed: 4,
  /** Holdpoint cannot be reached, or cannot do it now. */
  unavailable: 5,
  /** `ask`: nobody answered in time, and there is no fallback. */
  nobody: 6,
  /** `ask`: the question was withdrawn. */
  withdrawn: 7,
  /** An answer is kept and will be judged, but no worker has taken it yet. */
  handedOver: 8,
  /** `ask`: it is unknown whether the answer, or the fallback, denies. */
  unclear: 9,
  /** A defect of the command itself. */
  defect: 70,
  /** The output could not be written, for example to a full disk. */
  unwritten: 74,
  /** Ctrl-C. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
