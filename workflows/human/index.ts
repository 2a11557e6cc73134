export { awaitInput, cancelInput, openInput, requestInput } from './request-input.js';
export { runFlow } from '../flow/run-flow.js';
export type { FlowEnd, FlowStep } from '../flow/run-flow.js';
export { InvalidFlowError, defineFlow } from '../../domain/flow/checks.js';
export type { Flow } from '../../domain/flow/checks.js';
export { action, humanNode } from '../../domain/flow/definition.js';
export type {
  ActionNode,
  ActionResult,
  FlowContext,
  FlowDefinition,
  FlowNode,
  HumanNode,
  HumanNodeFields,
  Transitions,
} from '../../domain/flow/definition.js';
export { diagramOf } from '../../domain/flow/diagram.js';
export { InputCancelledError, InputTimeoutError } from './errors.js';
export type { InputErrorDetails } from './errors.js';
export type { InputHooks, InputOptions } from './hooks.js';
export type {
  AskedSuspension,
  InputHookEvent,
  InputResponse,
} from '../../contracts/suspension-requests.js';
