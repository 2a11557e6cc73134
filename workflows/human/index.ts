export { ask } from './ask.js';
export type { AskCall } from './ask.js';
export type {
  AskChoice,
  AskOptions,
  AskRemind,
  AskResult,
  AskTo,
  ChoiceOptions,
  ConfirmOptions,
  ConfirmResult,
  FormOptions,
  TextOptions,
} from '../../contracts/suspension/ask.js';
export { awaitInput, cancelInput, openInput, requestInput } from './request-input.js';
export { awaitPause, openPause, pause } from './ask.js';
export type { PauseEnd } from '../../contracts/suspension/pause-requests.js';
export { runFlow } from '../flow/run-flow.js';
export { humanTool } from '../flow/human-tool.js';
export type { HumanTool, HumanToolResult } from '../flow/human-tool.js';
export { InvalidFlowError, defineFlow } from '../../domain/flow/checks.js';
export type { Flow } from '../../domain/flow/checks.js';
export { action, flowNode, humanNode } from '../../domain/flow/definition.js';
export type {
  ActionNode,
  ActionResult,
  FlowContext,
  FlowDefinition,
  FlowEnd,
  FlowNode,
  FlowStep,
  HumanNode,
  HumanNodeFields,
  NestedFlow,
  Transitions,
} from '../../domain/flow/definition.js';
export type { ChildRef, ChildStatus } from '../../domain/flow/definition.js';
export { diagramOf } from '../../domain/flow/definition.js';
export { gateTools } from '../gate/gate-tools.js';
export { reportRun } from '../gate/report.js';
export { runQuery, suspendedUpdate } from '../gate/report.js';
export type { OpenApproval, RunReport } from '../gate/report.js';
export type { GateOptions, GatedTool, ToolRun } from '../gate/options.js';
export type {
  GateOutcome,
  PolicyAnswer,
  ToolCall,
  ToolResult,
} from '../../contracts/approval/gate.js';
export { migrate } from '../../domain/approval/asking/snapshot.js';
export type { Snapshot } from '../../contracts/approval/snapshot.js';
export { InputCancelledError, InputTimeoutError } from './errors.js';
export type { InputErrorDetails } from './errors.js';
export type { InputHooks, InputOptions, PauseOptions } from './hooks.js';
export type {
  AskedSuspension,
  InputHookEvent,
  InputResponse,
} from '../../contracts/suspension/requests.js';
