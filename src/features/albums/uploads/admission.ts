import { storageLimitOf } from '#features/accounts/rules.ts';
import { featureSentences, isOn } from '#features/settings/features.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { isUuid } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import type { Actor, Context } from '#wire/context.ts';
import { readMetadata } from '../staging.ts';
import { findAlbum, lockAccount } from '../store.ts';
import { insertUpload, sumUploads } from '../uploads-store.ts';
import { refusal } from './upload-refusals.ts';
import { expiryOf, refuseBySize } from './upload-rules.ts';

/** One call of a creator that tus is to answer. */
export interface Call {
  context: Context;
  actor: Extract<Actor, { userId: string }>;
  /** The upload that its address names and that is its caller's own: there is no other that it may touch. */
  uploadId?: string;
  /** The upload that it noted, whose file is still to be made. */
  admittedId?: string;
}

/** Checks and notes a new upload. @throws a refusal in tus' form */
export async function admit(
  { context, actor }: Call,
  id: string,
  sizeBytes: number | undefined,
  metadata: Record<string, string | null> | undefined,
): Promise<void> {
  if (!(await isOn(context.engines, 'features.uploads')))
    throw refusal('FORBIDDEN', featureSentences['features.uploads']);
  const { albumId, originalName } = readMetadata(metadata);
  const settings = await settingsOf(context.engines);
  if (sizeBytes === undefined) throw refusal('VALIDATION', 'The file size is missing.');
  const refused = refuseBySize(settings, sizeBytes);
  if (refused !== undefined) throw refusal(refused.code, refused.message);
  if (!isUuid(albumId)) throw refusal('NOT_FOUND');
  const { now } = context;
  await context.engines.database.work({ kind: 'user', userId: actor.userId }, async (tx) => {
    await lockAccount(tx, actor.userId);
    const album = await findAlbum(tx, albumId);
    if (album === undefined || album.state === 'deleting' || album.state === 'locked') throw refusal('NOT_FOUND');
    const sums = await sumUploads(tx, { since: new Date(now.getTime() - dayMs), now }, albumId);
    const most = settings['limits.itemsPerAlbum'];
    if (sums.in_album >= most) throw refusal('VALIDATION', `An album can hold up to ${most} items.`);
    if (sums.used + sums.coming + sizeBytes > storageLimitOf(settings, sums, now)) throw refusal('STORAGE_FULL');
    if (sums.today + sizeBytes > settings['limits.uploadBytesPerDay'])
      throw refusal('STORAGE_FULL', "You've reached today's upload limit. Please continue tomorrow.");
    await insertUpload(tx, {
      id,
      creatorId: actor.userId,
      albumId,
      originalName,
      sizeBytes,
      expiresAt: expiryOf(settings, now),
      now,
    });
  });
}
