import { log, setHandler } from '@temporalio/workflow';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/problem.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { isWorkflowId } from '../../domain/kernel/message-form.js';
import {
  changePortfolio,
  checkPortfolioOpen,
  closePortfolio,
  type PortfolioChange,
} from '../../domain/portfolio/portfolio.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import { toInstant } from '../../domain/kernel/time.js';
import { positionQuery } from '../intent/messages.js';
import { announcementSignal, observeSignal, unobserveSignal } from '../engine/messages.js';
import { now } from '../engine/clock.js';
import { demand, refuseMoving } from '../engine/refusals.js';
import type { PortfolioEntity } from './entity.js';
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
  type RemoveMemberInput,
} from './messages.js';

/** Registers every door of the portfolio. Handlers never throw; only validators refuse. */
export function registerPortfolio(entity: PortfolioEntity): void {
  setHandler(announcementSignal, (announcement) => {
    entity.settleDeadline(now());
    if (isAnnouncement(announcement)) entity.observe(announcement);
    else log.warn('announcement_malformed');
  });
  setHandler(observeSignal, (observer) => {
    if (isWorkflowId(observer)) entity.announcer.observe(observer);
    else log.warn('observer_malformed');
  });
  setHandler(unobserveSignal, (observer) => {
    entity.announcer.unobserve(observer);
  });
  registerChanges(entity);
  registerMembership(entity);
  setHandler(portfolioQuery, () => entity.snapshot);
  setHandler(positionQuery, () => entity.position);
}

function registerChanges(entity: PortfolioEntity): void {
  setHandler(changePortfolioUpdate, (input) => write(entity, changeOf(entity, input)), {
    validator: (input: ChangePortfolioInput) => {
      refuseMoving(entity.takesNoWrites);
      demand(changeOf(entity, input));
    },
  });
  setHandler(closePortfolioUpdate, (input) => write(entity, closureOf(entity, input)), {
    validator: (input: ClosePortfolioInput) => {
      refuseMoving(entity.takesNoWrites);
      demand(closureOf(entity, input));
    },
  });
}

function registerMembership(entity: PortfolioEntity): void {
  setHandler(
    addMemberUpdate,
    ({ actor, ...member }) => {
      entity.settleDeadline(now());
      const membership = entity.add(member, actor);
      return { membership, last_sequence: entity.snapshot.last_sequence };
    },
    {
      validator: (input: AddMemberInput) => {
        refuseMoving(entity.takesNoWrites);
        demand(checkAddition(entity, input.intent_id));
      },
    },
  );
  setHandler(
    removeMemberUpdate,
    ({ actor, intent_id }) => {
      entity.settleDeadline(now());
      entity.remove(intent_id, actor);
      return { last_sequence: entity.snapshot.last_sequence };
    },
    {
      validator: (input: RemoveMemberInput) => {
        refuseMoving(entity.takesNoWrites);
        demand(checkRemoval(entity, input.intent_id));
      },
    },
  );
}

/** A deadline that is due comes before a change that would move it. */
function write(entity: PortfolioEntity, change: Ruling<PortfolioChange>): PortfolioSnapshot {
  entity.settleDeadline(now());
  entity.commit(demand(change));
  return entity.snapshot;
}

function changeOf({ portfolio }: PortfolioEntity, input: ChangePortfolioInput) {
  return changePortfolio(portfolio, input.change, input.actor, toInstant(now()), LIMITS);
}

function closureOf({ portfolio }: PortfolioEntity, { status, actor }: ClosePortfolioInput) {
  return closePortfolio(portfolio, status, actor, toInstant(now()));
}

function checkAddition({ portfolio, members }: PortfolioEntity, intentId: string): Ruling<true> {
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
