// In a project of your own: from 'holdpoint/workflows'.
import type { ToolCall } from '../../workflows/human/index.js';

/** What has been said so far, in a form that suits every provider of models. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call_id: string; readonly content: string };

/** What a model says next; without calls it is done. */
export interface Thought {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The tools of the agent. Whether a person decides first is no business of the model. */
export const DEFINITIONS: readonly ToolDefinition[] = [
  {
    name: 'read_metrics',
    description: 'Reads the metrics of a service.',
    parameters: { type: 'object', properties: { service: { type: 'string' } } },
  },
  {
    name: 'deploy',
    description: 'Deploys a version of a service to an environment.',
    parameters: {
      type: 'object',
      properties: {
        service: { type: 'string' },
        version: { type: 'string' },
        env: { enum: ['staging', 'prod'] },
      },
      required: ['service', 'version', 'env'],
    },
  },
];
