import { recordExample } from '../../api/openapi/operation.js';
import {
  coordinatorDecisionSchema,
  coordinatorSchema,
} from '../../contracts/coordinator/coordinator.js';
import { intentEventSchema } from '../../contracts/intent/event.js';
import { intentGraphSchema } from '../../contracts/graph/graph.js';
import { intentSchema } from '../../contracts/intent/intent.js';
import { planSchema, phasedPlanViewSchema } from '../../contracts/plan/plan.js';
import { portfolioViewSchema } from '../../contracts/portfolio/portfolio.js';
import { subscriptionSchema } from '../../contracts/subscription/subscription.js';
import { taskSchema } from '../../contracts/plan/task.js';

/** The records of the OpenAPI document's examples, each as its schema reads it. */
export const EXAMPLES = {
  intent: intentSchema.parse(recordExample('intent')),
  graph: intentGraphSchema.parse(recordExample('graph')),
  event: intentEventSchema.parse(recordExample('event')),
  portfolio: portfolioViewSchema.parse(recordExample('portfolio')),
  coordinator: coordinatorSchema.parse(recordExample('coordinator')),
  coordinatorDecision: coordinatorDecisionSchema.parse(recordExample('coordinatorDecision')),
  subscription: subscriptionSchema.parse(recordExample('subscription')),
  task: taskSchema.parse(recordExample('task')),
  plan: planSchema.parse(recordExample('plan')),
  workflow: phasedPlanViewSchema.parse(recordExample('workflow')),
} as const;
