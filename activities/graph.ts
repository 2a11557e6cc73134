import { log } from '@temporalio/activity';
import type { DependencyEdge } from '../contracts/announcement.js';
import type { Ruling } from '../contracts/refusal.js';
import type { Activities } from './types.js';

/** Where the edges of the graph are. */
export interface GraphPorts {
  /** Adds an edge in one transaction, or refuses it. */
  readonly link: (edge: DependencyEdge) => Promise<Ruling<true>>;
}

/**
 * The activity that adds an edge: the store alone sees every edge, so it alone can refuse a cycle. Its
 * errors propagate; the workflow tries it again for a few seconds and then takes the edge back.
 */
export function createGraphActivities({ link }: GraphPorts): Pick<Activities, 'linkDependency'> {
  return {
    async linkDependency(edge) {
      try {
        return await link(edge);
      } catch (error) {
        log.warn('edge not added', { intent_id: edge.intent_id });
        throw error;
      }
    },
  };
}
