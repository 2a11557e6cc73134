export { transfer } from '../world.js';
