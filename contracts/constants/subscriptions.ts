/** Why a webhook subscription is over. */
export const SUBSCRIPTION_ENDS = [
  'deleted',
  'expired',
  'endpoint_gone',
  'address_refused',
  'failed',
] as const;
export type SubscriptionEnd = (typeof SUBSCRIPTION_ENDS)[number];
