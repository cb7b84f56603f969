import { implement } from '@orpc/server';
import { insertAudit } from '#features/audit/store.ts';
import { consentEndedEmail, consentToReviewEmail } from '#features/notices/consent-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { requireCreator } from '#wire/answer.ts';
import type { Context, CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { findConsentAlbum, sayPeople } from './album-store.ts';
import { giveConsent, lookAtRequest, refuseConsent, withdrawConsent } from './answering.ts';
import { type AlbumPeople, consentsContract } from './contract.ts';
import { addPerson, holdOwnAlbum, holdOwnPerson, resendRequest } from './requesting.ts';
import { mayRemove } from './rules.ts';
import { endPerson, listPeople, notePicturesGone } from './store.ts';
import { showPerson } from './to-api.ts';

const answer = implement(consentsContract).$context<Context>();

/** Who is shown in an album. @throws NOT_FOUND */
async function showAlbum({ work }: CreatorContext, albumId: string): Promise<AlbumPeople> {
  return work(async (tx) => {
    const album = await findConsentAlbum(tx, albumId);
    if (album === undefined) throw refuse('NOT_FOUND');
    return { peopleConsent: album.peopleConsent, people: (await listPeople(tx, albumId)).map(showPerson) };
  });
}

/** Says who is shown. @throws NOT_FOUND, or CONFLICT while others are in the list */
async function say(context: CreatorContext, albumId: string, peopleConsent: 'only_me' | 'others_with_consent') {
  const { work, creator, now, requestId } = context;
  await work(async (tx) => {
    await holdOwnAlbum(tx, albumId);
    if (peopleConsent === 'only_me' && (await listPeople(tx, albumId)).length > 0)
      throw refuse('CONFLICT', { message: 'Take everybody else off the list first.' });
    await sayPeople(tx, albumId, peopleConsent, now);
    await insertAudit(tx, {
      actor: { type: creator.kind, id: creator.userId },
      action: `consent.${peopleConsent}`,
      target: { type: 'album', id: albumId },
      requestId,
    });
    // Where others are shown and nobody is named yet, open screens close.
    const kind = peopleConsent === 'only_me' ? 'album.changed' : 'album.closed';
    await tx.publish({ kind, creatorId: creator.userId, albumId });
  });
  return showAlbum(context, albumId);
}

/** Takes somebody off an album. @throws NOT_FOUND, or CONFLICT after a withdrawal */
async function removePerson({ work, creator, now, requestId, engines }: CreatorContext, id: string): Promise<void> {
  await work(async (tx) => {
    const { person, album } = await holdOwnPerson(tx, id);
    if (!mayRemove(person.state))
      throw refuse('CONFLICT', { message: 'Say that their pictures are out of the album first. Then someone looks.' });
    await endPerson(tx, id, now);
    // Whoever agreed is told: a link that leads nowhere any more is no way to take a yes back.
    if (person.state === 'given' && person.email !== null)
      await queueEmail(tx, engines.jobs, {
        to: person.email,
        now,
        ...consentEndedEmail({ reportPage: `${engines.installation.publicUrl}/report` }),
      });
    await insertAudit(tx, {
      actor: { type: creator.kind, id: creator.userId },
      action: 'consent.person_removed',
      target: { type: 'album', id: album.id },
      details: { person: id, state: person.state },
      requestId,
    });
    await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId: album.id });
  });
}

/** Notes that the pictures of whoever withdrew are gone, and asks the operator to look. @throws NOT_FOUND, CONFLICT */
async function sayGone(context: CreatorContext, id: string) {
  const { work, creator, now, requestId, engines } = context;
  return work(async (tx) => {
    const { person, album } = await holdOwnPerson(tx, id);
    if (person.state !== 'withdrawn') throw refuse('CONFLICT');
    const picturesGoneAt = person.picturesGoneAt ?? now;
    if (person.picturesGoneAt === null) {
      await notePicturesGone(tx, id, now);
      const actor = { type: creator.kind, id: creator.userId };
      const target = { type: 'album', id: album.id };
      await insertAudit(tx, { actor, action: 'consent.pictures_gone', target, details: { person: id }, requestId });
      const to = engines.installation.operatorEmail;
      const deskLink = `${engines.installation.publicUrl}/admin/moderation`;
      if (to !== undefined) await queueEmail(tx, engines.jobs, { to, now, ...consentToReviewEmail({ id, deskLink }) });
      await tx.publish({ kind: 'album.changed', creatorId: creator.userId, albumId: album.id });
    }
    return showPerson({ ...person, picturesGoneAt });
  });
}

/** Who is shown in albums, and whether they agree. */
export const consentsApi = answer.router({
  list: answer.list.use(requireCreator).handler(({ context, input }) => showAlbum(context, input.albumId)),
  say: answer.say.use(requireCreator).handler(({ context, input }) => say(context, input.albumId, input.peopleConsent)),
  add: answer.add.use(requireCreator).handler(({ context, input }) => addPerson(context, input)),
  resend: answer.resend
    .use(requireCreator)
    .handler(({ context, input }) => resendRequest(context, input.coPerformerId)),
  remove: answer.remove.use(requireCreator).handler(async ({ context, input }) => {
    await removePerson(context, input.coPerformerId);
    return {};
  }),
  sayPicturesGone: answer.sayPicturesGone
    .use(requireCreator)
    .handler(({ context, input }) => sayGone(context, input.coPerformerId)),
  look: answer.look.handler(({ context, input }) => lookAtRequest(context, input.token)),
  give: answer.give.handler(({ context, input }) => giveConsent(context, input)),
  refuse: answer.refuse.handler(({ context, input }) => refuseConsent(context, input.token, input.isNotMe)),
  withdraw: answer.withdraw.handler(({ context, input }) => withdrawConsent(context, input.token)),
});
