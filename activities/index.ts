import { createEventActivities } from './deliver-events.js';
import type { EventPorts } from './deliver-events.js';
import { createInputActivities } from './inputs.js';
import type { InputPorts } from './inputs.js';
import { createNotifyActivities } from './notify.js';
import type { NotifyPorts } from './notify.js';
import {
  createDeadlineActivities,
  createNoteActivities,
  createObserverActivities,
} from './signals.js';
import type { DeadlinePorts, NotePorts, ObserverPorts } from './signals.js';
import {
  createGraphActivities,
  createJournalActivities,
  createMemberActivities,
  createTaskActivities,
} from './store.js';
import type { GraphPorts, JournalPort, MemberPorts, TaskPorts } from './store.js';
import type { Activities } from './types.js';

export interface ActivityPorts {
  readonly journal: JournalPort;
  readonly notify: NotifyPorts;
  readonly inputs: InputPorts;
  readonly observers: ObserverPorts;
  readonly deadlines: DeadlinePorts;
  readonly members: MemberPorts;
  readonly notes: NotePorts;
  readonly graph: GraphPorts;
  readonly tasks: TaskPorts;
  readonly events: EventPorts;
}

/** Every activity a worker registers, over the given ports. */
export function createActivities({
  journal,
  notify,
  inputs,
  observers,
  deadlines,
  members,
  notes,
  graph,
  tasks,
  events,
}: ActivityPorts): Activities {
  return {
    ...createJournalActivities(journal),
    ...createNotifyActivities(notify),
    ...createInputActivities(inputs),
    ...createObserverActivities(observers),
    ...createDeadlineActivities(deadlines),
    ...createMemberActivities(members),
    ...createNoteActivities(notes),
    ...createGraphActivities(graph),
    ...createTaskActivities(tasks),
    ...createEventActivities(events),
  };
}
