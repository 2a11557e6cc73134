import { setHandler } from '@temporalio/workflow';
import type { Sent } from '../../contracts/people/caller.js';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { authorize } from '../../domain/policy/authorize.js';
import { refuse } from '../../domain/kernel/ruling.js';
import { toInstant } from '../../domain/kernel/time.js';
import {
  changePortfolio,
  checkPortfolioOpen,
  checkPortfolioVersion,
  closePortfolio,
  setsDeadline,
  type PortfolioChange,
} from '../../domain/portfolio/portfolio.js';
import { now } from '../engine/clock.js';
import { demand, onSignal, onWrite } from '../engine/handlers.js';
import { announcementSignal, positionQuery } from '../engine/messages.js';
import { run } from '../engine/run.js';
import { PortfolioEntity, type PortfolioRun } from './entity.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  closePortfolioUpdate,
  portfolioQuery,
  removeMemberUpdate,
  type AddMemberInput,
  type ChangePortfolioInput,
  type ClosePortfolioInput,
  type PortfolioSnapshot,
} from './messages.js';

/**
 * A portfolio while it is active (RFC-0007): it observes its members, is never suspended itself (R26-05), and its
 * deadline ends open questions (R26-27). Ends when it is closed and the store has its whole log.
 */
export async function portfolio(input: PortfolioRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new PortfolioEntity(input);
      registerPortfolio(entity);
      return entity;
    },
    cancel: abandon,
  });
}

/** A cancellation through Temporal itself abandons the portfolio, but none of its members. */
function abandon(entity: PortfolioEntity): void {
  const change = closePortfolio(entity.portfolio, 'abandoned', 'temporal', toInstant(now()));
  if (change.ok) entity.commit(change.value, TEMPORAL.principal);
}

/** Registers every message of the portfolio. Handlers never throw; only validators refuse. */
function registerPortfolio(entity: PortfolioEntity): void {
  onSignal(announcementSignal, isAnnouncement, (announcement) => {
    entity.settleDue();
    entity.observe(announcement);
  });
  entity.announcer.listen(() => entity.measure());
  registerChanges(entity);
  registerMembership(entity);
  setHandler(portfolioQuery, () => entity.snapshot);
  setHandler(positionQuery, () => entity.position);
}

function registerChanges(entity: PortfolioEntity): void {
  onWrite(
    entity,
    changePortfolioUpdate,
    'Change the portfolio',
    (input) => changeOf(entity, input),
    (input) => write(entity, changeOf(entity, input), input),
  );
  onWrite(
    entity,
    closePortfolioUpdate,
    'Close the portfolio',
    (input) => closureOf(entity, input),
    (input) => write(entity, closureOf(entity, input), input),
  );
}

function registerMembership(entity: PortfolioEntity): void {
  onWrite(
    entity,
    addMemberUpdate,
    'Add an intent',
    (input) => checkAddition(entity, input),
    ({ by, actor, ...member }) => {
      const membership = entity.add(member, { by, actor });
      return { membership, last_sequence: entity.snapshot.last_sequence };
    },
  );
  onWrite(
    entity,
    removeMemberUpdate,
    'Remove an intent',
    ({ intent_id }) => {
      demand(checkPortfolioOpen(entity.portfolio));
      if (!entity.members.has(intent_id)) demand(NOT_A_MEMBER);
    },
    (input) => {
      entity.remove(input.intent_id, input);
      return { last_sequence: entity.snapshot.last_sequence };
    },
  );
}

function write(entity: PortfolioEntity, change: PortfolioChange, { by }: Sent): PortfolioSnapshot {
  entity.commit(change, by.principal);
  return entity.snapshot;
}

/** Throws a refusal. */
function changeOf(
  { portfolio, members }: PortfolioEntity,
  { by, actor, change, if_match = portfolio.version }: ChangePortfolioInput,
): PortfolioChange {
  const { owners } = members;
  const reaches = owners.length > 0 && setsDeadline(portfolio, change);
  demand(authorize(by, 'changePortfolio', reaching(reaches, owners)));
  demand(checkPortfolioVersion(portfolio, if_match));
  return demand(changePortfolio(portfolio, change, actor, toInstant(now()), LIMITS));
}

/** Throws a refusal. */
function closureOf(
  { portfolio }: PortfolioEntity,
  { status, actor }: ClosePortfolioInput,
): PortfolioChange {
  return demand(closePortfolio(portfolio, status, actor, toInstant(now())));
}

/** A deadline ends the questions of members, so changes that expose members to one require more rights. */
function reaching(reaches: boolean, owners: readonly (string | undefined)[]) {
  return reaches ? ({ when: 'withDeadline', owners } as const) : {};
}

function checkAddition(
  { portfolio, members }: PortfolioEntity,
  { by, intent_id: intentId, owner }: AddMemberInput,
): void {
  const hasDeadline = typeof portfolio.governance_policy.deadline === 'string';
  demand(authorize(by, 'addMember', reaching(hasDeadline, [owner])));
  demand(checkPortfolioOpen(portfolio));
  if (members.has(intentId)) demand(A_MEMBER);
  if (members.size >= LIMITS.membersPerPortfolio) demand(TOO_MANY);
}

const NOT_A_MEMBER = refuse('member_not_found', 'The intent is no member of this portfolio.');
const A_MEMBER = refuse('member_exists', 'The intent is a member already.', {
  field: 'intent_id',
  accepted: 'an intent that is no member yet',
});
const MOST = `at most ${LIMITS.membersPerPortfolio} members`;
const TOO_MANY = refuse('too_many_members', `A portfolio has ${MOST}.`, { accepted: MOST });
