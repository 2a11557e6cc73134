interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
}

const OF_INTENT = { intentId: '$response.body#/id' };
const VERSIONED = { ...OF_INTENT, 'header.If-Match': '$response.header.ETag' };
const OF_PORTFOLIO = { portfolioId: '$response.body#/id' };
const OF_MEMBERSHIP = {
  portfolioId: '$response.body#/portfolio_id',
  intentId: '$response.body#/intent_id',
};
const OF_SUSPENSION = { suspensionId: '$response.body#/id' };
const OF_ASKED = { intentId: '$response.body#/intent_id' };
const ASKED_BODY = { suspension_id: '$response.body#/id' };
const OF_LEASE = { intentId: '$response.body#/intent_id', leaseId: '$response.body#/id' };

const to = (operationId: string, parameters: Link['parameters']): Link => ({
  operationId,
  parameters,
});

/** What can be done with what an operation made, by its `operationId`. */
export const LINKS: Readonly<Record<string, readonly Link[]>> = {
  createIntent: [
    ...['getIntent', 'listEvents', 'appendEvent', 'listLeases', 'acquireLease', 'engage'].map(
      (operationId) => to(operationId, OF_INTENT),
    ),
    to('suspend', OF_INTENT),
    to('createChild', OF_INTENT),
    to('listChildren', OF_INTENT),
    to('readGraph', OF_INTENT),
    to('addDependency', VERSIONED),
    to('setStatus', VERSIONED),
    to('patchState', VERSIONED),
  ],
  suspend: [
    to('getSuspension', OF_SUSPENSION),
    to('waitForSuspension', OF_SUSPENSION),
    { ...to('respond', OF_ASKED), requestBody: ASKED_BODY },
    { ...to('cancelSuspension', OF_ASKED), requestBody: ASKED_BODY },
  ],
  createPortfolio: [
    ...['getPortfolio', 'listMembers', 'addMember', 'changePortfolio', 'closePortfolio'].map(
      (operationId) => to(operationId, OF_PORTFOLIO),
    ),
    to('listPortfolioEvents', OF_PORTFOLIO),
  ],
  createCoordinator: [
    ...['getCoordinator', 'heartbeat'].map((operationId) =>
      to(operationId, { coordinatorId: '$response.body#/id' }),
    ),
  ],
  addMember: [to('removeMember', OF_MEMBERSHIP)],
  acquireLease: [to('renewLease', OF_LEASE), to('releaseLease', OF_LEASE)],
};
