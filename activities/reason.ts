/** Why something failed, in a line for the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
