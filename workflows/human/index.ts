export { awaitInput, cancelInput } from './await-input.js';
export { InputCancelledError, InputTimeoutError } from './errors.js';
export type { InputErrorDetails } from './errors.js';
export { openInput } from './ask-input.js';
export type { InputHooks, InputOptions } from './hooks.js';
export { requestInput } from './ask-input.js';
export type {
  AskedSuspension,
  InputHookEvent,
  InputResponse,
} from '../../contracts/suspension-requests.js';
