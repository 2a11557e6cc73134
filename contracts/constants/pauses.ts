/** Why a process pauses although nobody has to decide (JC-47). */
export const PAUSE_REASONS = ['rate_limit', 'async_completion', 'external_job', 'custom'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Why a process pauses at all. Only the first is a question to people. */
export const SUSPENSION_REASONS = ['human_input', ...PAUSE_REASONS] as const;

/** The outcome of a pause that was resumed. */
export const RESUMED = 'resumed';
