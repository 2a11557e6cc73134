import { editBy, hashNow, openApproval, voteBy } from '../workflows/support/approval-questions.js';
import { respond } from '../workflows/support/suspensions.js';
import type { Scene } from './scenes.js';

/** Votes on a proposal, one of which edits it. */
export const VOTE_SCENES: Readonly<Record<string, Scene>> = {
  async 'suspension-that-keeps-its-edits'(world) {
    const opened = await openApproval(world, 2);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { comment: 'Much.' }));
    await respond(opened, await editBy(world, opened, 'bob'));
    const proposal_hash = await hashNow(opened);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { proposal_hash }));
    await opened.handle.result();
    return { 'suspension-that-keeps-its-edits': opened.handle };
  },
  async 'suspension-of-a-rejected-proposal'(world) {
    const opened = await openApproval(world, 2);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved'));
    await respond(opened, await voteBy(world, opened, 'bob', 'rejected'));
    await opened.handle.result();
    return { 'suspension-of-a-rejected-proposal': opened.handle };
  },
};
