import type { Tx } from '#engines/database/work.ts';
import type { Avatar } from '../stored-avatar.ts';

/** Gives a person another picture, or none. @returns the name of the one before */
export async function replaceAvatar(tx: Tx, userId: string, avatar: Avatar | undefined): Promise<string | undefined> {
  const before = await tx.db
    .selectFrom('users')
    .select('avatar_name')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  await tx.db
    .updateTable('users')
    .set({ avatar_name: avatar?.name ?? null, avatar_small: avatar?.small ?? null })
    .where('id', '=', userId)
    .execute();
  return before?.avatar_name ?? undefined;
}

/** The names of all pictures that somebody shows. */
export async function listAvatarNames({ db }: Tx): Promise<string[]> {
  const rows = await db.selectFrom('users').select('avatar_name').where('avatar_name', 'is not', null).execute();
  return rows.flatMap(({ avatar_name: name }) => (name === null ? [] : [name]));
}

/** Opens or closes a person's public page. */
export async function setPublicPage(tx: Tx, userId: string, isOn: boolean): Promise<void> {
  await tx.db.updateTable('users').set({ has_public_page: isOn }).where('id', '=', userId).execute();
}
