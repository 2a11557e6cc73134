/**
 * What of an unexpected error may be logged: its kind, codes and frames, and those of its causes. Its
 * message is left out, for it may quote what a caller sent.
 */
export function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((text) => /^\s+at /.test(text));
  return {
    name: error.name,
    ...('code' in error && { code: String(error.code) }),
    // The error code of an ApplicationFailure.
    ...('type' in error && { type: String(error.type) }),
    frames: frames.map((text) => text.trim()),
    ...(error.cause !== undefined && { cause: traceOf(error.cause) }),
  };
}
