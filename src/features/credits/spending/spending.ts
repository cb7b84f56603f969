import type { Tx } from '#engines/database/work.ts';
import { findStorageExtra, insertStorageExtra } from '#features/accounts/storage-extras-store.ts';
import { addAnswers, findAnswers } from '#features/assistant/answers-store.ts';
import { creationOf, makeOnce } from '#features/audit/creations.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { giveWord } from '#features/links/change-link.ts';
import { slugWord } from '#features/links/rules.ts';
import { listLinkIds } from '#features/links/store.ts';
import { moveToFront, retryWithoutTime } from '#features/media/queues.ts';
import { addVideoTime, findVideoTime } from '#features/media/video-time-store.ts';
import { isMediumThere } from '#features/media/waiting-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs, monthOf } from '#kit/time.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { sumCredits } from '../ledger-store.ts';
import { spendCredits } from '../lots/accounting.ts';
import { findDebitOwner, lockCredits } from '../lots/lots-store.ts';
import { settleCredits } from '../lots/settling.ts';
import type { SpentFor } from '../rules.ts';

interface Price {
  jobId: string;
  what: SpentFor;
  credits: number;
  /** What it pays for, as a sentence begins: "Extra storage". */
  name: string;
}

/** Pays for something in the transaction that does it. @throws CREDITS_NEEDED with what they have */
async function pay(tx: Tx, { engines, creator }: CreatorContext, { name, ...price }: Price): Promise<void> {
  const { realm } = engines.payments;
  const { userId } = creator;
  if (await spendCredits(tx, { ...price, realm, userId, now: moneyNow(engines) })) return;
  const { balance } = await sumCredits(tx, realm, userId);
  const message = `${name} costs ${formatCount(price.credits, 'credit')}, and you have ${Math.max(0, balance)}.`;
  throw refuse('CREDITS_NEEDED', { credits: price.credits, reason: 'too_few', message });
}

/** What is bought is bought for the price that was read, with what is theirs by now. @throws PRICE_CHANGED */
async function agree({ engines, creator }: CreatorContext, agreed: number, price: number): Promise<void> {
  if (agreed !== price) throw refuse('PRICE_CHANGED');
  await settleCredits(engines, creator.userId);
}

/** Storage beyond the plan, for a time. @throws PRICE_CHANGED, CREDITS_NEEDED */
export async function addStorage(context: CreatorContext, input: { count: number; credits: number }) {
  const { engines, creator, asSystem, now, requestId } = context;
  const { userId } = creator;
  const settings = await settingsOf(engines);
  const credits = input.count * settings['credits.storage'];
  const creation = creationOf(context, userId, 'credits.addStorage', input);
  await agree(context, input.credits, credits);
  const id = newId<'extra'>(now.getTime());
  const endsAt = new Date(now.getTime() + settings['credits.storageDays'] * dayMs);
  return asSystem(async (tx) => {
    const made = await makeOnce(tx, creation, id, async () => {
      await pay(tx, context, { jobId: id, what: 'storage', credits, name: 'Extra storage' });
      const bytes = input.count * settings['credits.storageBytes'];
      await insertStorageExtra(tx, { id, userId, bytes, createdAt: now, endsAt });
      const actor = { type: creator.kind, id: userId };
      await insertAudit(tx, { actor, action: 'storage.extended', details: { bytes, credits }, requestId });
      await tx.publish({ kind: 'plan.changed', creatorId: userId });
    });
    const extra = await findStorageExtra(tx, made);
    return { id: made, endsAt: extra?.endsAt ?? endsAt };
  });
}

/** A readable address for a link that nobody has opened; each link gets one, once. @throws PRICE_CHANGED, CREDITS_NEEDED, CONFLICT */
export async function giveLinkWord(context: CreatorContext, input: { linkId: string; word: string; credits: number }) {
  const { engines, creator, asSystem, requestId } = context;
  const { linkId } = input;
  const credits = (await settingsOf(engines))['credits.address'];
  const word = slugWord(input.word);
  if (word === '') throw refuse('VALIDATION', { field: 'word', message: 'Use letters from A to Z, or numbers.' });
  await agree(context, input.credits, credits);
  if ((await context.work((tx) => listLinkIds(tx, [linkId]))).length === 0) throw refuse('NOT_FOUND');
  return asSystem(async (tx) => {
    await lockCredits(tx, creator.userId);
    if ((await findDebitOwner(tx, linkId)) === creator.userId)
      throw refuse('CONFLICT', { message: 'This link already has a readable address.' });
    const slug = await giveWord(tx, { linkId, creatorId: creator.userId, word });
    if (slug === undefined) throw refuse('CONFLICT', { message: 'This link has since been opened or has ended.' });
    await pay(tx, context, { jobId: linkId, what: 'address', credits, name: 'A readable address' });
    const actor = { type: creator.kind, id: creator.userId };
    const target = { type: 'link', id: linkId };
    await insertAudit(tx, { actor, action: 'link.renamed', target, details: { credits }, requestId });
    await tx.publish({ kind: 'link.changed', creatorId: creator.userId, linkId });
    return { url: `${engines.installation.publicUrl}/view/${slug}` };
  });
}

/** Has a waiting video made before those of others, once. @throws PRICE_CHANGED, CREDITS_NEEDED, CONFLICT */
export async function moveVideo(context: CreatorContext, input: { mediaId: string; credits: number }) {
  const { engines, creator, asSystem } = context;
  const { mediaId } = input;
  const { userId: creatorId } = creator;
  const credits = (await settingsOf(engines))['credits.priority'];
  await agree(context, input.credits, credits);
  if (!(await context.work((tx) => isMediumThere(tx, mediaId)))) throw refuse('NOT_FOUND');
  return asSystem(async (tx) => {
    await lockCredits(tx, creatorId);
    if ((await findDebitOwner(tx, mediaId)) === creatorId) return {};
    if (!(await moveToFront(engines, tx, { mediaId, creatorId })))
      throw refuse('CONFLICT', { message: 'This video is no longer waiting.' });
    await pay(tx, context, { jobId: mediaId, what: 'priority', credits, name: 'Moving a video to the front' });
    return {};
  });
}

/** Hours of video beyond those of a month; their videos that waited for them are tried again. @throws PRICE_CHANGED, CREDITS_NEEDED */
export async function buyVideoTime(context: CreatorContext, input: { count: number; credits: number }) {
  const { engines, creator, asSystem, now } = context;
  const { userId } = creator;
  const settings = await settingsOf(engines);
  const credits = input.count * settings['credits.videoHour'];
  const creation = creationOf(context, userId, 'credits.addVideoTime', input);
  await agree(context, input.credits, credits);
  const ofMonth = { userId, month: monthOf(new Date(engines.clock())) };
  const jobId = newId<'time'>(now.getTime());
  return asSystem(async (tx) => {
    const id = await makeOnce(tx, creation, jobId, async () => {
      await pay(tx, context, { jobId, what: 'video', credits, name: 'More video time' });
      await addVideoTime(tx, ofMonth, 3600 * input.count);
      await retryWithoutTime(engines, tx, userId);
    });
    return { id, extraSeconds: (await findVideoTime(tx, ofMonth)).extraSeconds };
  });
}

/** More answers of the assistant's model than a month has. @throws PRICE_CHANGED, CREDITS_NEEDED */
export async function buyAnswers(context: CreatorContext, input: { count: number; credits: number }) {
  const { engines, creator, asSystem, now } = context;
  const { userId } = creator;
  const settings = await settingsOf(engines);
  const credits = input.count * settings['credits.answers'];
  const creation = creationOf(context, userId, 'credits.addAnswers', input);
  await agree(context, input.credits, credits);
  const ofMonth = { userId, month: monthOf(now) };
  const jobId = newId<'answers'>(now.getTime());
  return asSystem(async (tx) => {
    const id = await makeOnce(tx, creation, jobId, async () => {
      await pay(tx, context, { jobId, what: 'answers', credits, name: 'More answers' });
      await addAnswers(tx, ofMonth, input.count * settings['credits.answersEach']);
    });
    return { id, extra: (await findAnswers(tx, ofMonth)).extra };
  });
}
