export { agent } from './agent.js';
export { bare } from './bare.js';
export { observer } from './observer.js';
