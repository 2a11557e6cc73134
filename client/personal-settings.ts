import type { QuietHours } from '../contracts/people/quiet-hours.js';
import type { SavedView, SaveView } from '../contracts/suspension/saved-view.js';
import type { Snooze } from '../contracts/suspension/snooze.js';
import { pathOf } from './connection.js';
import type { Connection, ReadOptions } from './connection.js';

interface QuietHoursReply {
  readonly quiet_hours: QuietHours | null;
}

/** What a principal keeps for itself, which changes nothing for others. */
export class PersonalSettings {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Hides a question from your own lists until an instant, or until it reminds next (`next_reminder`). Everybody else sees it, and
   * it shows again at once if it is changed. Snoozing again replaces the earlier snooze. Throws HoldpointError: 422
   * `snooze_not_possible` if the question would expire before, 409 `no_reminder_left`.
   */
  async snooze(suspensionId: string, until: string): Promise<Snooze> {
    const path = pathOf('suspensions', suspensionId, '/snooze');
    return this.#connection.repeat('POST', path, { until });
  }

  /** Ends your snooze of a question; nothing happens if there is none. */
  async endSnooze(suspensionId: string): Promise<void> {
    await this.#connection.write('DELETE', pathOf('suspensions', suspensionId, '/snooze'));
  }

  /** Returns the questions that you have put off, and until when. `list({ view: 'snoozed' })` returns the questions themselves. */
  async snoozes(options: ReadOptions = {}): Promise<readonly Snooze[]> {
    return this.#connection.list('/snoozes', 'snoozes', {}, options);
  }

  /** Returns the views of the inbox that you have saved, by name. `list(view.filter)` returns the questions of one. */
  async savedViews(options: ReadOptions = {}): Promise<readonly SavedView[]> {
    return this.#connection.list('/me/views', 'views', {}, options);
  }

  /**
   * Saves a view for yourself, or changes the one with this id, a UUID that you choose. Throws HoldpointError: 409
   * `view_name_taken`, or `too_many_views`.
   */
  async saveView(id: string, view: SaveView): Promise<SavedView> {
    return this.#connection.repeat('PUT', pathOf('me/views', id), view);
  }

  /** Deletes one of your saved views; nothing happens if there is none. */
  async deleteSavedView(id: string): Promise<void> {
    await this.#connection.write('DELETE', pathOf('me/views', id));
  }

  /** Returns the times in which you want no push and no sound; null if there are none. */
  async quietHours(options: ReadOptions = {}): Promise<QuietHours | null> {
    return (await this.#connection.read<QuietHoursReply>('/me/quiet-hours', {}, options))
      .quiet_hours;
  }

  /**
   * Sets the times in which you want no push and no sound, in place of earlier ones. Throws HoldpointError: 422
   * `invalid_request` with the field for a time, a day or a time zone that is none.
   */
  async setQuietHours(hours: QuietHours): Promise<void> {
    await this.#connection.repeat('PUT', '/me/quiet-hours', hours);
  }

  /** Ends your quiet hours; nothing happens if there are none. */
  async endQuietHours(): Promise<void> {
    await this.#connection.write('DELETE', '/me/quiet-hours');
  }
}
