import type { DeliveryLog } from '../activities/ports.js';
import { deliveryOf, recordDelivery, recordTry } from '../store/queries/deliveries.js';
import type { Store } from '../store/schema.js';

/** The record of deliveries that the notify activity consults, kept in the store. */
export function storedDeliveryLog(db: Store): DeliveryLog {
  return {
    async find(deliveryId) {
      const found = await deliveryOf(db, deliveryId);
      if (found === undefined) return undefined;
      const { channel, reference } = found;
      return reference === null ? { channel } : { channel, reference };
    },
    async record(deliveryId, { channel, reference = null }, deliveredAt) {
      const delivery = { delivery_id: deliveryId, channel, reference, delivered_at: deliveredAt };
      await recordDelivery(db, delivery);
    },
    recordTry: (tried) => recordTry(db, tried),
  };
}
