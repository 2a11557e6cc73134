export { coordinator } from './coordinator/workflow.js';
export { intent } from './intent/workflow.js';
export { portfolio } from './portfolio/workflow.js';
export { plan } from './plan/workflow.js';
export { subscription } from './subscription/workflow.js';
export { suspension } from './suspension/workflow.js';
export { task } from './task/workflow.js';
