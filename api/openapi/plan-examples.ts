import type { Plan, PhasedPlanView } from '../../contracts/plan.js';
import type { Task } from '../../contracts/task.js';

/* A workflow of two phases: the second waits for the first, which waits for Alice. */
const TASK_ID = '3d5f7b9a-1c2e-4a6d-8f90-b1c2d3e4f5a6';
const PLAN_ID = '8e1d2c3b-4a5f-4e6d-9c7b-0a1b2c3d4e5f';
const REPORT_ID = '5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d';
const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';
const REPORT_INTENT_ID = '7c8d9e0f-1a2b-4c3d-8e4f-5a6b7c8d9e0f';
const OPENED = '2026-11-20T10:00:00.000Z';
const EXPIRES = '2026-11-20T11:00:00.000Z';

const TASK: Task = {
  id: TASK_ID,
  intent_id: INTENT_ID,
  plan_id: PLAN_ID,
  parent_task_id: null,
  name: 'review',
  description: null,
  version: 4,
  status: 'blocked',
  priority: 'normal',
  input: {},
  output: null,
  artifacts: [],
  inputs: {},
  outputs: { approved: 'boolean' },
  assigned_agent: 'refund-agent',
  waiting_claim: null,
  lease_id: null,
  capabilities_required: [],
  depends_on: [],
  blocks: [REPORT_ID],
  blocked_reason: 'intent_suspended',
  suspended_intent_id: INTENT_ID,
  error: null,
  retry_policy: 'default',
  timeout_seconds: null,
  attempt: 1,
  max_attempts: 1,
  permissions: 'inherit',
  memory_policy: null,
  requires_tools: [],
  metadata: {},
  created_by: 'refund-agent',
  created_at: OPENED,
  updated_at: OPENED,
  started_at: OPENED,
  completed_at: null,
};

const NONE = {
  pending: 1,
  ready: 0,
  claimed: 0,
  running: 0,
  blocked: 1,
  completed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
};
const SUSPENDED = { intent_id: INTENT_ID, suspended_since: OPENED, expires_at: EXPIRES };
const ABOUT = { title: 'Refund of order #12345', description: null };

const PLAN: Plan = {
  id: PLAN_ID,
  intent_id: INTENT_ID,
  version: 1,
  state: 'active',
  workflow: ABOUT,
  tasks: [TASK_ID, REPORT_ID],
  checkpoints: [],
  conditions: [],
  escalations: [],
  metadata: {},
  on_failure: 'pause_and_escalate',
  on_complete: 'notify',
  created_by: 'refund-agent',
  created_at: OPENED,
  updated_at: OPENED,
  members: [
    {
      task_id: TASK_ID,
      name: 'review',
      intent_id: INTENT_ID,
      depends_on: [],
      status: 'blocked',
    },
    {
      task_id: REPORT_ID,
      name: 'report',
      intent_id: REPORT_INTENT_ID,
      depends_on: [TASK_ID],
      status: 'pending',
    },
  ],
  progress: {
    total: 2,
    by_status: NONE,
    suspended_tasks: [{ task_id: TASK_ID, ...SUSPENDED }],
  },
};

const WORKFLOW: PhasedPlanView = {
  id: PLAN_ID,
  plan_id: PLAN_ID,
  intent_id: INTENT_ID,
  ...ABOUT,
  state: 'active',
  phases: PLAN.members.map(({ name, ...phase }) => ({ phase_name: name, ...phase })),
  progress: {
    total: 2,
    by_status: NONE,
    suspended_phases: [{ phase_name: 'review', ...SUSPENDED }],
  },
  created_by: 'refund-agent',
  created_at: OPENED,
  updated_at: OPENED,
};

const REPORT_PHASE = {
  depends_on: ['review'],
  inputs: { verdict: 'review.approved' },
  outputs: { url: 'string' },
};

/** Ids as they stand in paths, by name. */
export const PLAN_IDS = { taskId: TASK_ID, planId: PLAN_ID, workflowId: PLAN_ID } as const;

/** Tasks, plans and workflows in the document; a test holds each against its schema. */
export const PLAN_EXAMPLES = {
  task: TASK,
  plan: PLAN,
  workflow: WORKFLOW,
  newTask: { intent_id: INTENT_ID, name: 'review' },
  newPlan: {
    intent_id: INTENT_ID,
    tasks: [
      { name: 'review', outputs: { approved: 'boolean' } },
      { name: 'report', ...REPORT_PHASE },
    ],
    checkpoints: [{ after_task: 'review', approvers: ['alice'], timeout_hours: 24 }],
  },
  newWorkflow: {
    title: ABOUT.title,
    phases: { review: { outputs: { approved: 'boolean' } }, report: REPORT_PHASE },
  },
};
