export { intent } from './intent/workflow.js';
export { portfolio } from './portfolio/workflow.js';
export { suspension } from './suspension/workflow.js';
