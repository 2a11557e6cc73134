export { awaitInput, cancelInput, openInput, requestInput } from './request-input.js';
export { InputCancelledError, InputTimeoutError } from './errors.js';
export type { InputErrorDetails } from './errors.js';
export type { InputHooks, InputOptions } from './hooks.js';
export type {
  AskedSuspension,
  InputHookEvent,
  InputResponse,
} from '../../contracts/suspension-requests.js';
