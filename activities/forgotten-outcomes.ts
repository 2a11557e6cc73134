import type { EntityKey } from '../contracts/kernel/entity-key.js';
import type { Look } from './look.js';
import type { ForgottenOutcomes } from './ports/reconciliation.js';

/**
 * Finds what a Temporal has done that was put back some seconds: questions that it has open although the store shows their end,
 * and questions that it has ended in another way meanwhile. The first get their outcome again. The second are only reported:
 * their agents have gone on already.
 */
export class ForgottenLook {
  private readonly forgotten: ForgottenOutcomes;
  private readonly look: Look;
  private readonly seen = new Set<string>();

  constructor(forgotten: ForgottenOutcomes, look: Look) {
    this.forgotten = forgotten;
    this.look = look;
  }

  /** Looks at questions of which Temporal says that their workflows run, although they were settled until an instant. */
  async atRunning(page: readonly EntityKey[], until: string): Promise<void> {
    await this.handIn(await this.forgotten.settledOf(page, until));
  }

  /** Looks at questions that the store shows as settled. */
  async atSettled(page: readonly EntityKey[]): Promise<void> {
    await this.handIn(await this.forgotten.runningOf(page));
  }

  /** A running workflow may only be busy with its last delivery: it is asked whether it has the question open. */
  private async handIn(questions: readonly EntityKey[]): Promise<void> {
    const unseen = questions.filter(({ id }) => !this.seen.has(id));
    for (const { id } of unseen) this.seen.add(id);
    await this.look.at('suspension', unseen, async (question) =>
      (await this.forgotten.handIn(question)) ? 'handed_in' : undefined,
    );
  }
}
