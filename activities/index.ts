import { announce, expireQuestions, observeIntents } from './announce.js';
import { deliverEvents } from './deliver-events.js';
import type { ActivityDependencies } from './dependencies.js';
import { prepareInput, readInput } from './inputs.js';
import { notify } from './notify.js';
import { linkDependency, readMembers, writeJournal } from './store.js';
import type { Activities } from './types.js';

/** Every activity that a worker registers. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  const { store, workflows, config } = dependencies;
  return {
    writeJournal: (rows) => writeJournal(store, rows),
    linkDependency: (edge) => linkDependency(store, edge),
    readMembers: (request) => readMembers(store, request),
    readTasks: (taskIds) => store.taskNews(taskIds),
    prepareInput: (request) => prepareInput(config, request),
    readInput: (suspensionId) => readInput(store, suspensionId),
    notify: (request) => notify(dependencies, request),
    deliverEvents: (request) => deliverEvents(dependencies, request),
    announce: (batch) => announce(workflows, batch),
    observeIntents: (request) => observeIntents(workflows, store, request),
    expireQuestions: (batch) => expireQuestions(workflows, batch),
    noteIntent: (note) => workflows.appendEvent(note),
  };
}
