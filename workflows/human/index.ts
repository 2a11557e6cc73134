export { awaitInput, cancelInput } from './await-input.js';
export { InputCancelledError, InputTimeoutError } from './errors.js';
export type { InputErrorDetails } from './errors.js';
export { openInput } from './open-input.js';
export type { InputHooks, InputOptions } from './options.js';
export { requestInput } from './request-input.js';
export type { AskedSuspension, InputHookEvent, InputResponse } from '../../contracts/hooks.js';
