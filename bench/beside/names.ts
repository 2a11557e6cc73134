export const BESIDE_TASK_QUEUE = 'beside';
