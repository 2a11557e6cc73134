/**
 * The `description` of each operation in the OpenAPI document, by `operationId`. A test demands one for every
 * operation.
 */
export const NOTES: Readonly<Record<string, string>> = {
  // Questions
  suspend:
    'The intent is suspended until the question is settled. With a `request_key` the same request is safe to repeat: it finds the open question again and asks nobody twice. `warnings` name what is unusual or has no effect, such as a fallback that no person could give, a channel that is not configured or a rung of the ladder after the last attempt.',
  openSuspension:
    'Takes the same body as asking for an intent. No intent waits: the asker waits for the suspension itself, and the `intent_id` of the reply is null. With a `reason` other than `human_input` it takes a pause instead: nobody is asked or notified, and `POST …/resume` with its `resume_signal` resumes it.',
  listSuspensions:
    'The inbox. Lists pending questions unless `state` or `resolution` says otherwise, the most urgent first. Pass `next_cursor` as `cursor` for the next page. A key with the role agent sees the questions that it asked. `view=for_me` shows open questions that the caller may answer by their rules and has no vote in, `view=groups` those whose rules name one of its groups or that were delegated to one, `group` the same for this one. `text` finds each of its words in question, answer, arguments or context, as a part of any word. Pauses are left out; `reason` lists those of one reason, for auditors, admins and the caller that opened them.',
  countSuspensions:
    'Takes the filters of the inbox and returns how many questions are pending, answered, expired and cancelled.',
  getSuspension: 'Returns the record, the schedule, the current attempt and the timeline.',
  getBlocks:
    'The intent, plan or task that waits for the answer, with all that depends on it and all that contains it, each below what it waits for: dependents in the graph, later tasks, the plan or workflow, portfolios. At most 100 things and six steps. Empty once the question is settled, and for one that nothing here waits for: an agent’s own workflow is in Temporal.',
  listCandidates:
    'The people of the directory, or without one those who have a key or have signed in, except the asker, excluded people, agents and the caller. The groups with anybody among them whom the delegation would let answer come beside them. Those whom the rule lets answer anyway come first. `text` finds beginnings of words of names, principals and groups. Refused as the delegation itself would be. The question judges the delegation once more.',
  waitForSuspension:
    'A long poll: returns as soon as the question is settled or has passed `after_attempt`, at the latest after `timeout_seconds`. Call it again while the state is `pending`.',
  respondBySuspension:
    'Answers any question, whether an intent, an agent’s workflow, a plan or nobody waits for it. One answer counts unless the `decision_rule` of the question asks for more; whoever comes after it is settled gets 409 with what was settled. An answer that counts while more people have to agree has no `resolution` in its reply, but `approvals` and `required`; the same person counts once and does not change its answer. A `comment` says why, and `data` are what the question wants besides its value; neither stands in `metadata`. An answer to an approval names the `proposal_hash` of what its sender has seen; with `edits` the proposal gets a new version, on which the votes begin anew. Where somebody else has claimed the question, the answer needs `despite_claim`; otherwise it is 409 `claimed_by_other`. With an `Idempotency-Key` the same answer is safe to send again. 202 means that no worker took the answer within 10 s: it is kept, and judged by the time at which it was received.',
  respondToMany:
    'All questions that are open must take the same answers: the same response type, values, labels and styles of choices, and response schema; otherwise it is 422 `mixed_shapes`, and nothing is answered. They are compared as lists show them; an answer to a question that was corrected since is refused by its `question_version`. Each is then answered as by `POST …/respond`: one that is refused says why in its `problem`, and does not stop the others. With an `Idempotency-Key` the same request is safe to send again.',
  resumeSuspension:
    'Takes `resume_signal` and `data` for a pause, from who opened it, whom it names in `resumable_by`, or an admin; and `value` with all else that an answer may have for a question, by the rules of an answer. A pause that is resumed has the resolution `responded`, and `data` as its value. With a `value`, `data` are an object: that of the answer. With an `Idempotency-Key` the same request is safe to send again.',
  respond:
    'Answers the open question of one intent. `POST /v1/suspensions/{suspensionId}/respond` answers every question, this one included. 200 and 202 mean the same there.',
  changeEligibility:
    'Replaces who is eligible, from now on and until a level of the escalation ladder names others. Answers that count still count. Only admins may do it: otherwise a person who decides who may answer could answer alone. Lists without names let everybody answer who may answer at all.',
  claimSuspension:
    'A claim says who looks after a question. It is soft: it ends by itself after 30 minutes, reminders and escalations go on and tell the next people who has it (`held_by`), and others may answer with `despite_claim`. Only people who may answer, and have not, may claim. The holder claims again to renew it; for anybody else it is 409 `claimed_by_other`, and `state` has `holder` and `expires_at`. With `question_version` it is a claim of what you have seen: if the question was changed since, it is 409 `question_version_mismatch`.',
  releaseSuspension:
    'The question is free again. Only its holder or an admin may do so. A vote of the holder ends the claim too. A person who has delegated the question takes that back, even if the claim that came with it is over: the person or the group that the delegation named, and those to whom it was passed on from there, may no longer answer because of it. With `what` only a claim, or only a delegation, ends.',
  snoozeSuspension:
    'The question is left out of the views `for_me` and `groups` of the caller, and of their counts, until the instant, or until the question reminds next. It stays open, others see it as before, and reminders go on. It shows again at once if it is changed, and a snooze never lasts until the question expires: that is 422 `snooze_not_possible`. The view `snoozed` lists what is hidden. Snoozing again replaces the earlier snooze.',
  endSnooze:
    'The question is in the lists of the caller again. Nothing happens if it was not snoozed.',
  reportEngagement:
    'Counts the questions to people that were asked on some days, at most 366, and how they went: all together, and by day, agent, tool, group or channel. A question with several tools, groups or channels counts under each. `as_expected` counts answers that were the fallback, and approvals that changed nothing: questions that need not have been asked. Of an erased question only its asker, its end and its times count. Nobody who answers is named.',
  exportEngagement:
    'The groups of the report as CSV, with a line of column names. A text that a spreadsheet would take for a formula begins with an apostrophe.',
  listSnoozes:
    'The snoozes of the caller that still hide a question, those that end first before the others. `GET /v1/suspensions?view=snoozed` returns the questions themselves.',
  listSavedViews:
    'The lists that the caller comes back to in the inbox, by name. `filter` has the parameters with which `GET /v1/suspensions` returns the questions.',
  saveView:
    'The id is a UUID that you choose; a view with this id is replaced, so a repetition changes nothing. Each view of a person has its own name (409 `view_name_taken`), and a person has at most 50 (409 `too_many_views`). Nobody else sees them.',
  deleteSavedView: 'Nothing happens if the caller has no such view.',
  commentOnSuspension:
    'A remark decides nothing: it is seen in `comments`, in the timeline and in the log of the intent. The newest one of its author once more is the same remark. A question has at most 50, with 72 KiB of JSON together. Remarks are personal data, and erased with the question.',
  amendSuspension:
    'The given fields replace those of the question, by the rules of asking; the response type, the deadlines and who decides stay. The question has the next `question_version`, on which the votes begin anew: an answer for the version before is 409 `question_version_mismatch`, as is an amendment of it. The record of the intent follows. Approvals, and what plans ask, are 409 `not_amendable`.',
  delegateSuspension:
    '`to` may answer from now on, at every attempt, even if the decision rule names others; it has the claim, and is notified once over the channel of the current attempt. With `to_group` instead each member of the group may answer, except the askers, excluded people and, by this delegation, the caller; nobody gets the claim, and the caller’s own ends. People whom the rule excludes, the asker, and agents are refused; so is everybody, and every group, that is not in the directory, if there is one. Approvals, and questions that several people decide, are not delegated (`delegation_not_allowed`). While somebody else has claimed the question, it is 409 `claimed_by_other`. Each person delegates to one at a time: the next delegation takes the place of the one before, and may be made while that one has the claim; `release` takes it back. An admin who changes who is eligible ends what delegations permit.',
  cancelBySuspension:
    'Withdraws any question. Only its asker, or an admin, may do so. An answer that came first counts, and the reply is 409.',
  cancelSuspension:
    'Withdraws the open question of one intent, which is active again afterwards. Only the asker, or an admin, may do so.',
  engage:
    'Weighs confidence, risk and reversibility, and returns whether the agent may act alone, should ask, must ask or has to defer. The decision is recorded in the log of the intent.',

  // Links
  readLink:
    'What the page of a link posts. The token stands after `#` in the link, so that no server, log or referrer gets it with the address. Reading decides nothing and uses nothing up, however often it is done. The question is shown as messages show it: of its `context` only what may leave, with personal data masked. `needs_sign_in` says whether it takes a sign-in to answer; `suspension_id` is the question to open then. A link that no longer counts is refused with 410, and `state` says what happened: `outcome` is `answered`, `expired`, `withdrawn`, `changed`, `removed` or `person_unknown`, with `by`, `at` and `via` where they are known.',
  answerLink:
    'Answers as the person that the link was sent to: as an operator, in the groups that the directory has that person in, and for this question and this version of it alone. Rules of who may answer are judged as for every answer. A link answers once. Approvals, and people for whom the directory says so, are refused with `sign_in_needed`. 202 means that no worker took the answer within 10 s.',
  answerByWebhook:
    'Takes what a person has answered in a system of yours. The message is signed by Standard Webhooks with a secret under `answers` of a channel, at most five minutes ago, and the channel may answer for the people and groups that its configuration names. The person answers as an operator, in the groups of the directory; who may answer is judged as for every answer, and an approval needs its `proposal_hash`. `webhook-id` is the key of the answer: the same message gets the first result again, and another body under its id is refused.',

  // Approvals
  listApprovals:
    'Newest first. Filter by `status`, `run_id` or `intent_id`. A key with the role agent sees the approvals that it asked for, and one with the role user those that were asked for it.',
  readApproval:
    'The question that is open now is `suspension_id`: it is answered as every question, with the `proposal_hash` of what is decided on. `proposal` is the latest version; if somebody edited arguments, its hash is another than `proposed_hash`.',
  waitForApproval:
    'A long poll: returns as soon as the approval is resolved, at the latest after `timeout_seconds`. Call it again while the status is `pending`.',
  withdrawApproval:
    'Withdraws the open question, and asks nobody else. An earlier decision of people counts, and the reply is 409. Only the asker, or an admin, may do so.',
  listRunEvents:
    'What approvals left in the log of a run. Approvals of an intent are in its log, and here from when it takes no more: their payload names the intent. Newest first.',
  verifyRunEvents:
    'Computes the hash chain again, as for the log of an intent. Only the store has this log; it notes beside it how the log ends (`head_from: store`), so events that are missing at the end are found too.',
  latestSnapshot:
    'The state of an agent on Temporal, saved before it waits for an approval: its position in its history, its working memory, the proposals and the turn. `hash` is the SHA-256 of the canonical JSON. Temporal recovers the agent itself; this is to inspect. Of several turns it is that of the last one, in the form of this release (`schema_version`).',

  // Intents
  listIntents: 'Newest first. Filter by `status`; page with `limit` and `offset`.',
  createIntent:
    'The status is `draft` unless `active` is requested. With an `Idempotency-Key` the same request returns the same intent. `created_by` is for admins. What `governance_policy` forbids is refused to agents (403 `governance_violation`). `ETag` is the version that the next write names in `If-Match`.',
  getIntent:
    'The open or last question is at `state._suspension`. `ETag` is the version that a write names in `If-Match`.',
  setStatus:
    'Abandoning a suspended intent withdraws its question first. Completing needs all dependencies completed; otherwise 409 `dependencies_incomplete` names them.',
  patchState:
    'Send `patches` of `{op, path, value}` with `set`, `append` or `remove`, or `state` with keys to set. All patches apply, or none.',
  createChild: 'As creating an intent, without `parent_intent_id`: the path names the parent.',
  listChildren:
    'Oldest first, with `aggregate_status` over all children, not only those of the page.',
  listDescendants: 'Oldest first: children, their children and so on.',
  listAncestors: 'Nearest first.',
  listDependencies: 'What has to be completed before this intent can be.',
  listDependents: 'What cannot be completed before this intent is.',
  listReady: 'Children whose dependencies are all completed.',
  listBlocked: 'Children with at least one dependency that is not completed.',
  readGraph:
    'Returns `nodes`, `edges` and `aggregate_status` of the intent and all its descendants.',
  addDependency:
    'A dependency that would close a circle is refused with 400 `dependency_cycle`; `state.path` is the way round. While the store is not up to date the check cannot be made: 503, and the request can be sent again.',
  removeDependency: 'The dependent is unblocked if nothing else holds it up.',

  // Events
  listEvents:
    'Newest first; filter by `event_type`. `masked: true` marks an event in which a question’s id was shortened for this key; it has no `payload_salt`, and its `payload_commitment` and `event_hash` are those of the whole event.',
  appendEvent:
    'Takes an `event_type` of your own and a `payload`; `trace_id` and `parent_event_id` are kept as they are. Reserved types are refused.',
  verifyEvents:
    'Computes the hash chain again from the store and compares its end with what the workflow of the intent knows. `breaks` lists where the log is not what was recorded; an event whose payload was erased is no break, and is listed in `erased`.',
  exportEvents:
    'NDJSON, one event a line, oldest first, and a last line `{"end_of_log": …}`. A file without that line was cut off. Also for the agent that created the intent.',
  verifyTimeline:
    'As for the log of an intent. Once the workflow of the question is gone, the end is compared with nothing but the store (`head_from: store`); a checkpoint tells more. The details of a refused entry prove nothing.',
  exportTimeline:
    'NDJSON as for the log of an intent: `payload` is the `detail` of an entry. Check it with `npm run verify-log`.',

  // Checkpoints
  requestCheckpoint:
    'Signs the root of a Merkle tree (RFC 6962) over the ends of all logs, as they are stored. A request while one is being signed gets that one. The service also signs one every hour. A 503 does not mean that none will be signed.',
  listCheckpoints: 'Newest first. `public_keys` has every key that ever signed one.',
  latestCheckpoint: 'Keep it where nobody who can write the store can write.',
  exportLogs:
    'NDJSON: `{"leaf": …}` for each log, in the order of the tree; then each log as `GET …/events/export` has it, up to the event that was signed; and last `{"end_of_export": …}`. Check it with `npm run verify-log -- --export … --checkpoint … --key …`. Ids of questions are not shortened. The newest checkpoint is taken unless `checkpoint` names one.',

  // Personal data
  erasePersonalData:
    'Erases title, description, state and constraints of the intent, the payloads of its events, and what its questions asked, got as answers and sent to their channels. The record of who acted, when, and how each question ended stays. An event `personal_data_erased` remains, and the log can still be checked. While a question is open: 409 `question_open`. Tasks, plans and what Temporal keeps of closed runs are not erased. The same request is safe to repeat; it returns the same until something new is recorded.',
  eraseSuspension:
    'The same for a question that was asked for no intent, once it is settled. A question of an intent is erased with its intent: 409.',

  // Approvals of agents that are not on Temporal
  openApproval:
    'The calls are saved and judged by the configured rules. Where people decide, the task is paused, and `url` works as soon as you read it. `on_behalf_of` is the user for whom the agent acts, who never decides; `decider` is that user too, and alone decides unless the configuration names others. A request with both gives the same name. The same `request_key` and calls find the approval that they opened before. `checkpoint` (128 KiB) is the state of an agent that does not wait. `response_schema` says what `data` a decision has to bring.',
  findApproval: 'For a process that has kept the key and nothing else.',
  resumeRequest:
    'One endpoint for tool calls, authentication and consent. A decision is for all calls of the request, and is checked like any other answer. Without `proposal_hash` it is for the calls as they were first proposed. Name the question that the person has seen by its `suspension_id`: without it the decision is about the first stage, and 409 `stage_mismatch` once a later one is open, so that a repetition decides nothing more. `data` has to fit the `response_schema` of the request; without it, an empty object is judged. A rejection cancels the task. With an `Idempotency-Key` the same decision is safe to send again. 503 means that no worker took the decision in time: it may count all the same.',
  redeemCall:
    'Send it inside the tool, before it runs. `arguments` are those that were approved. The service that carries the call out has to honour `idempotency_key`, which stays the same. Until the lease is over another `holder` is refused; with a `completed_at` the call has run. With `tool` the tool that is to run is compared with the approved one: another one is refused with `proposal_mutation_detected`, and nothing changes.',
  reportMutation:
    'For a process that finds, right before a call is to run, that it holds other arguments or another tool than it has asked about: nothing of it may run. The log of the run, or of the intent, gets `proposal_mutation_detected` with what was found, and the approval stays as it is. `ApprovalClient` sends it by itself.',
  completeCall:
    'Later redeems return `result`. It is refused under the token of a process from which another has taken over. The results of all calls have at most 64 KiB together.',
  claimCheckpoint:
    'Of two processes one gets it. After a crash another may claim it once the lease is over, and gets a higher token.',
  finishCheckpoint: 'Under the token of the claim. A repetition changes nothing.',

  // Subscriptions
  subscribeToIntent:
    'Server-Sent Events. Send `Last-Event-ID`, or `last_event_id` where a client cannot set headers, to go on after an event; `0` starts at the beginning of the log.',
  subscribeToRun:
    'Server-Sent Events of the log of a run whose approvals belong to no intent. Goes on after `Last-Event-ID`; `0` starts at the beginning of the log.',
  subscribeToAll:
    'Server-Sent Events of every intent, and of every run to keys that may read the logs of runs; goes on after `Last-Event-ID`.',
  subscribeToAgent:
    'Server-Sent Events of the intents that the agent created or was assigned to, and of the approvals that it asked for; goes on after `Last-Event-ID`.',
  subscribeToSuspensions:
    'Server-Sent Events named `suspension`, with the `data` `{"id", "state", "change"}`: a question was opened, reached an attempt, got a vote, was amended, settled or erased. They carry no content; read the question again. Changes that come together are one frame, with the latest `change`. Questions without an intent are there, pauses are not. Goes on after `Last-Event-ID`. An event named `reset` says to read the list anew: the id is unknown here, more than 1,000 changes were missed, or the store has lost some.',
  subscribeToPortfolio:
    'Server-Sent Events of the portfolio’s own log and of its members; goes on after `Last-Event-ID`.',
  createSubscription:
    'Names an `intent_id`, a `portfolio_id` or neither, and the `event_types` wanted (all by default). Each event is posted to `webhook_url`, signed, in order and at least once, as far as the key that makes the subscription, and its principal at the time of the delivery, may see it. The server needs secrets to sign with; without them the request is refused.',
  listSubscriptions:
    'Newest first, ended ones included. A key with the role agent sees the subscriptions that it created. `withheld_at` is there if something was withheld because the principal may no longer see it, or can no longer sign in. Once it can again, what follows is posted.',
  deleteSubscription: 'Only its creator, or an admin, may end it.',

  // Leases
  listLeases: 'At most 100, so there are no pages.',
  acquireLease:
    'Only one agent holds a `scope` of an intent at a time. While the intent is suspended no lease expires.',
  renewLease: 'The new duration counts from now. Only the holder may renew.',
  releaseLease: 'Only the holder may release it.',

  // Plans
  createTask:
    'The task is `ready`, or `pending` while it waits for other tasks or for its plan. `timeout_seconds` counts the time in which an agent runs the task, not the time a person takes. `permissions.allow` names the agents that may claim it. A task has at most 256 KiB of JSON, with what it knows of its dependencies.',
  getTask:
    'A task is `blocked` with the reason `intent_suspended` while its intent waits for a person.',
  listTasks: 'Oldest first; filter by `status`.',
  patchTask:
    'A task that is assigned may be changed by its agent, its creator and admins. Completing needs every declared output, of its declared type.',
  claimTask:
    'Returns the task with its resolved `input`. While an upstream phase is suspended or incomplete the claim is refused with 409; with `wait` it is kept (202) and granted when the inputs are there. They have at most 256 KiB of JSON together.',
  createPlan:
    'Takes ids of existing tasks or definitions of new ones. A plan with a circle, or with a reference that leads nowhere, is refused with all its faults at once. The tasks start a moment after the reply. A plan has at most 512 KiB of JSON, each new task 256 KiB and all of them 1,152 KiB, with the dependencies, types and values that they refer to.',
  getPlan:
    '`progress.suspended_tasks` names the tasks that wait for a person; `escalations` are the questions about tasks that failed.',
  listPlans: 'Oldest first.',
  patchPlan:
    'Takes `state`, more `tasks` and `checkpoints` that have not been reached. Cancelling a plan cancels its open tasks. A plan has at most 200 checkpoints and 512 KiB of JSON, with the checkpoints that were reached.',
  createWorkflow:
    'A workflow is phases with declared inputs and outputs. Each phase gets an intent and a task, and all of them are one plan. `assign`, `depends_on`, `inputs` and `outputs` are declared for each phase.',
  getWorkflow: '`progress.suspended_phases` names the phases that wait for a person.',

  // Portfolios
  createPortfolio:
    'May name up to 100 first members. `governance_policy.deadline` ends the questions of waiting members when it comes, whatever their fallback says; a deadline that has passed is refused.',
  listPortfolios: 'Newest first; filter by `status` and `created_by`.',
  getPortfolio:
    '`status` is the portfolio’s own and changes only by request. `aggregate_status`, `has_suspended_members` and `suspended_member_count` describe its members.',
  changePortfolio:
    'Each field that is sent replaces the old one as a whole: a `governance_policy` without `deadline` drops the deadline.',
  closePortfolio: 'Final: `completed` or `abandoned`. The members stay what they are.',
  addMember: '`role` is `primary`, `member` or `dependency`. An intent can be a member once.',
  listMembers: 'Oldest first, with `aggregate_status` over all members.',
  removeMember: 'The intent itself stays what it is.',
  listPortfoliosOf: 'Newest first.',
  verifyPortfolioEvents: 'As for the log of an intent; `intent_id` is the id of the portfolio.',
  exportPortfolioEvents:
    'NDJSON as for the log of an intent, in which `intent_id` is the id of the portfolio. For operators, admins and auditors, because ids of questions are not shortened.',
  listPortfolioEvents:
    'Newest first. In these events `intent_id` is the id of the portfolio itself.',

  // Coordinators
  createCoordinator:
    'Takes a lease over an `intent_id` or a `portfolio_id`. `suspension_policy` says what follows from a question in its scope: `isolate`, `block_dependents` or `escalate`. `agent_id` is for admins.',
  getCoordinator: 'Silent for two heartbeats it is `unresponsive`, for five `failed_over`.',
  heartbeat: 'Only for the holder of the lease. Returns when the next heartbeat is due.',
  listCoordinators: 'The present and former coordinators of the intent, oldest first.',
  recordDecision:
    'Only for the holder of the lease. The record is an event `coordinator.decision` in the log of the intent.',
  listCoordinatorDecisions: 'Newest first.',

  // Sessions
  openSession:
    'Takes either a `key`, of a person who may use the inbox, or a `link`, which counts once. The session that the browser had before ends. A page of another site is refused. After 20 failed tries in a minute, or 120 of any kind, an address is refused for the rest of it.',
  readSession:
    'A page reads `csrf` here when it is loaded. A request with a key or a token is not a session, and is refused.',
  endSession: 'Ends the session in every API process, with its streams, and takes its cookie away.',
  signInMethods: 'For the page of signing in, which shows what there is.',
  beginSignIn:
    'The code flow of OpenID Connect with PKCE. `return_to` is the page of the inbox to come back to. What has to be known at the end is sealed in a cookie for ten minutes.',
  finishSignIn:
    'The redirect URI of the client at the issuer, which adds `code` and `state`, or `error`. Opens a session, and ends the one that the browser had when it began.',

  // Service
  getMe:
    'For pages and programs that hide what would be refused anyway. `may` names operations, by their `operationId` or by the name in the table of who may do what; it decides nothing, and a call can still be refused for what it is done to.',
  readPush:
    'Only for sessions. `public_key` is the `applicationServerKey` with which the browser subscribes at its push service.',
  startPush:
    'Only for sessions. The browser is told of each question that comes, or comes again, for this person, until it unsubscribes, its session ends, or its push service no longer knows it. Messages are encrypted for the browser (RFC 8291) and hold the words of the question, without its context, unless `shows_words` or `push.words` is false. One browser belongs to one session, and `endpoint` to the session that named it last. Its host has to be one of `push.hosts`, its address public and https.',
  endPush: 'Only for sessions. What was not sent yet is dropped.',
  readQuietHours: 'They are those of the person, in every browser.',
  setQuietHours:
    'Pushes that come within them are sent when they end, if the questions still wait. Notifications and sounds of open pages are left out. The list stays what it is, and messages over channels are sent as ever.',
  endQuietHours: 'Pushes that were held back are sent now.',
  listChannels:
    '`last_delivered` and `last_failed` come from the tries of deliveries of your space, as the worker recorded them; a channel that nobody was notified over yet has neither. `check` is the result when a worker asked, without a message to anybody: Slack checks the token, the mail server the login, if there is one. Workers ask when they start and every few minutes. If the newest answer to any worker, not older than 15 minutes, is a failure, it is that failure. `outcome` is one of those of a delivery, such as `slack_login_refused` or `mail_login_refused` for a secret that counts no more.',
  listSetAside:
    'A worker sets a run of a workflow aside after three tasks in a row that took longer than 5 s, so that all others go on. It notes that, and Temporal is asked here what has become of it: one that has ended, was reset or goes on is not listed any more. At most 20 are named, the newest first, of all spaces.',
  listUnattended:
    'Looks at up to 500 questions and approvals that workflows of agents asked, in all spaces: those that are open, then the newest. If such a workflow is still open, its task queue must have a worker that Temporal has heard from in the last 75 s; a workflow that is pinned to a version needs a worker of this version. A worker that has just stopped counts until then. At most 20 task queues are named.',
  encodePayloads:
    'The other direction, for inputs that somebody types into a page of Temporal. Needs `codec` in the configuration file.',
  decodePayloads:
    "The codec server of Temporal's pages and of `temporal … --codec-endpoint`, whose endpoint is `/v1/codec`. Only if the configuration file has `codec`; pages of its `origin` may call it with a token, or with the session of a person on the same site. Codecs are those of `HOLDPOINT_DATA_CONVERTER`; a payload that they leave alone comes back as it was. Metadata and data are in base64, in both directions.",
  serverConfig:
    'Returns the version of the protocol and the default retry policy. Without a key the steps of its ladder say neither who is notified nor who may answer.',
  health: 'For liveness probes: asks nothing of Temporal or the store.',
  ready: 'For readiness probes: names Temporal, worker and store, each with its state.',
  openApi: 'This document. `/docs` shows it; `npm run docs:api` writes it as one page.',
};
