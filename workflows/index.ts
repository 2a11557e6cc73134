export { intent } from './intent/workflow.js';
export { suspension } from './suspension/workflow.js';
