export const BARE_TASK_QUEUE = 'bare';
