/** Errors of intents: their status and state, leases and dependencies. */
export const INTENT_ERRORS = {
  dependency_cycle: [
    400,
    'Dependency cycle',
    'The intent would depend on itself; state.path shows the circle.',
  ],
  dependency_exists: [400, 'Already a dependency', 'The intent depends on that one already.'],
  governance_violation: [
    403,
    'Against the policy',
    'The governance policy of the intent forbids it.',
  ],
  intent_not_found: [404, 'Intent not found', 'No intent has this id.'],
  lease_not_found: [404, 'Lease not found', 'The lease is unknown, over, or held by another.'],
  dependency_not_found: [404, 'No such dependency', 'The intent does not depend on that one.'],
  invalid_transition: [409, 'Invalid transition', 'The status machine has no such transition.'],
  intent_suspended: [
    409,
    'Intent is suspended',
    'The intent waits for an operator; answer, cancel or abandon first.',
  ],
  intent_not_active: [409, 'Intent is not active', 'Only an active intent can be suspended.'],
  intent_not_suspended: [
    409,
    'Intent is not suspended',
    'There is no open question; the current state is in the body.',
  ],
  workflow_lost: [
    409,
    'Workflow was ended',
    'Its workflow was ended in Temporal, so it takes no writes. Within some minutes the reconciler ends it here too.',
  ],
  intent_closed: [409, 'Intent is closed', 'The intent is completed or abandoned.'],
  dependencies_incomplete: [
    409,
    'Dependencies are incomplete',
    'Intents that this one depends on are not completed; state.incomplete names them.',
  ],
  lease_held: [409, 'Lease is held', 'Another lease covers this scope.'],
  invalid_signals: [422, 'Invalid signals', 'Signals are numbers from 0 to 1.'],
  invalid_patch: [422, 'Invalid patch', 'A patch cannot be applied to this state.'],
  state_too_large: [422, 'State too large', 'A state, task or plan would exceed the limit.'],
  too_many_leases: [422, 'Too many leases', 'The intent has reached its limit of leases.'],
  too_many_dependencies: [
    422,
    'Too many dependencies',
    'The intent has reached its limit of dependencies.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>;
