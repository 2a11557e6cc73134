import type { Plan } from '../../contracts/plan.js';
import type { Task } from '../../contracts/task.js';
import { asMarkdown } from '../kernel/text.js';

/** What an engineer reads of a task in the Temporal UI. Markdown. */
export function describeTask(task: Task): string {
  const { name, status, version, assigned_agent, blocked_reason, error, attempt } = task;
  return [
    `**${asMarkdown(name)}**`,
    '',
    `- Status: \`${status}\`, version ${version}, attempt ${attempt}`,
    ...(blocked_reason === null ? [] : [`- Blocked: ${asMarkdown(blocked_reason)}`]),
    ...(assigned_agent === null ? [] : [`- Agent: ${asMarkdown(assigned_agent)}`]),
    ...(error === null ? [] : [`- Error: ${asMarkdown(error)}`]),
  ].join('\n');
}

/** What an engineer reads of a plan in the Temporal UI. Markdown. */
export function describePlan({ state, version, members, progress, workflow }: Plan): string {
  const waiting = progress.suspended_tasks.length;
  return [
    `**${asMarkdown(workflow?.title ?? 'Plan')}**`,
    '',
    `- State: \`${state}\`, version ${version}`,
    ...(waiting > 0 ? [`- ${waiting} of ${members.length} tasks wait for an operator`] : []),
    ...members.map(({ name, status }) => `- ${asMarkdown(name)}: \`${status}\``),
  ].join('\n');
}
