import type { SentMessage } from '../../contracts/channel/follow-up.js';
import type { DeliveryReceipt, DeliveryTry } from '../../contracts/channel/notification.js';

/** Remembers deliveries and their tries. `deliveredAt` is an ISO-8601 instant in UTC. */
export interface DeliveryLog {
  find(deliveryId: string): Promise<DeliveryReceipt | undefined>;
  /** What is `followed` is told how its question ends. */
  record(
    deliveryId: string,
    receipt: DeliveryReceipt,
    followed?: Pick<SentMessage, 'person' | 'shows'>,
  ): Promise<void>;
  recordTry(tried: DeliveryTry): Promise<void>;
}
