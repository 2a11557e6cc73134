/** Stands for the instant of the next reminder, where somebody says until when a question is put off. */
export const NEXT_REMINDER = 'next_reminder';
