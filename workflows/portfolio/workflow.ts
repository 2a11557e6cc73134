import { setHandler } from '@temporalio/workflow';
import type { Caller, Sent } from '../../contracts/caller.js';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { authorize } from '../../domain/policy/authorize.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import { toInstant } from '../../domain/kernel/time.js';
import {
  changePortfolio,
  checkPortfolioOpen,
  checkPortfolioVersion,
  closePortfolio,
  setsDeadline,
} from '../../domain/portfolio/portfolio.js';
import type { PortfolioChange } from '../../domain/portfolio/portfolio.js';
import { now } from '../engine/clock.js';
import { demand, onSignal, onWrite } from '../engine/handlers.js';
import { announcementSignal, positionQuery } from '../engine/messages.js';
import { run } from '../engine/run.js';
import type { PortfolioRun } from './entity.js';
import { PortfolioEntity } from './entity.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  closePortfolioUpdate,
  portfolioQuery,
  removeMemberUpdate,
} from './messages.js';
import type {
  AddMemberInput,
  ChangePortfolioInput,
  ClosePortfolioInput,
  PortfolioSnapshot,
} from './messages.js';

/**
 * A portfolio for as long as it is active (RFC-0007): it observes its members, is never suspended
 * itself (R26-05), and its deadline ends the questions that are open then (R26-27). Ends when it is closed and
 * the store holds its whole log.
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

/** A cancellation through Temporal itself abandons the portfolio, and none of its members. */
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
  entity.announcer.listen(() => {
    entity.measure();
  });
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
    (input) => demand(changeOf(entity, input)),
    (input) => write(entity, changeOf(entity, input), input),
  );
  onWrite(
    entity,
    closePortfolioUpdate,
    'Close the portfolio',
    (input) => demand(closureOf(entity, input)),
    (input) => write(entity, closureOf(entity, input), input),
  );
}

function registerMembership(entity: PortfolioEntity): void {
  onWrite(
    entity,
    addMemberUpdate,
    'Add an intent',
    (input) => demand(checkAddition(entity, input)),
    ({ by, actor, ...member }) => {
      const membership = entity.add(member, { by, actor });
      return { membership, last_sequence: entity.snapshot.last_sequence };
    },
  );
  onWrite(
    entity,
    removeMemberUpdate,
    'Remove an intent',
    ({ intent_id }) => demand(checkRemoval(entity, intent_id)),
    (input) => {
      entity.remove(input.intent_id, input);
      return { last_sequence: entity.snapshot.last_sequence };
    },
  );
}

function write(
  entity: PortfolioEntity,
  change: Ruling<PortfolioChange>,
  { by }: Sent,
): PortfolioSnapshot {
  entity.commit(demand(change), by.principal);
  return entity.snapshot;
}

function changeOf({ portfolio, members }: PortfolioEntity, input: ChangePortfolioInput) {
  const { owners } = members;
  const reaches = owners.length > 0 && setsDeadline(portfolio, input.change);
  const allowed = reachOf(input.by, 'changePortfolio', reaches, owners);
  if (!allowed.ok) return allowed;
  const { if_match = portfolio.version } = input;
  const current = checkPortfolioVersion(portfolio, if_match);
  if (!current.ok) return current;
  return changePortfolio(portfolio, input.change, input.actor, toInstant(now()), LIMITS);
}

function closureOf({ portfolio }: PortfolioEntity, { status, actor }: ClosePortfolioInput) {
  return closePortfolio(portfolio, status, actor, toInstant(now()));
}

/** A deadline ends the questions of members, so that more is needed where one reaches them. */
function reachOf(
  by: Caller,
  action: 'addMember' | 'changePortfolio',
  reaches: boolean,
  owners: readonly (string | undefined)[],
): Ruling<true> {
  return authorize(by, action, reaches ? { when: 'withDeadline', owners } : {});
}

function checkAddition(
  { portfolio, members }: PortfolioEntity,
  { by, intent_id: intentId, owner }: AddMemberInput,
): Ruling<true> {
  const hasDeadline = typeof portfolio.governance_policy.deadline === 'string';
  const allowed = reachOf(by, 'addMember', hasDeadline, [owner]);
  if (!allowed.ok) return allowed;
  const open = checkPortfolioOpen(portfolio);
  if (!open.ok) return open;
  if (members.has(intentId)) {
    return refuse('member_exists', 'The intent is a member already.', {
      field: 'intent_id',
      accepted: 'an intent that is no member yet',
    });
  }
  if (members.size < LIMITS.membersPerPortfolio) return ok(true);
  const most = `at most ${LIMITS.membersPerPortfolio} members`;
  return refuse('too_many_members', `A portfolio has ${most}.`, { accepted: most });
}

function checkRemoval({ portfolio, members }: PortfolioEntity, intentId: string): Ruling<true> {
  const open = checkPortfolioOpen(portfolio);
  if (!open.ok) return open;
  if (members.has(intentId)) return ok(true);
  return refuse('member_not_found', 'The intent is no member of this portfolio.');
}
