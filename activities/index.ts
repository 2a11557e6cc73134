import { createDeadlineActivities } from './deadlines.js';
import type { DeadlinePorts } from './deadlines.js';
import { createGraphActivities } from './graph.js';
import type { GraphPorts } from './graph.js';
import { createEventActivities } from './events.js';
import type { EventPorts } from './events.js';
import { createInputActivities } from './inputs.js';
import type { InputPorts } from './inputs.js';
import { createJournalActivities } from './journal.js';
import type { JournalPort } from './journal.js';
import { createMemberActivities } from './members.js';
import type { MemberPorts } from './members.js';
import { createNoteActivities } from './notes.js';
import type { NotePorts } from './notes.js';
import { createNotifyActivities } from './notify.js';
import type { NotifyPorts } from './notify.js';
import { createObserverActivities } from './observers.js';
import type { ObserverPorts } from './observers.js';
import { createTaskActivities } from './tasks.js';
import type { TaskPorts } from './tasks.js';
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
