import { hashPassword, isPassword } from '#features/accounts/password.ts';

/**
 * A link's password as it is compared. It travels by messenger: phones curl its quotes, copying takes a space along, and keyboards
 * compose letters in two ways. (An account's password is typed by whoever chose it, and stays as it was typed.)
 */
export const plainPassword = (typed: string): string =>
  typed
    .normalize('NFC')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .trim();

/** The hash of a link's password, as it is stored. */
export const hashLinkPassword = (typed: string): Promise<string> => hashPassword(plainPassword(typed));

/** Returns whether this is a link's password. Hashes of before were made of what was typed, so that is tried as well. */
export async function isLinkPassword(typed: string, stored: string): Promise<boolean> {
  const plain = plainPassword(typed);
  if (await isPassword(plain, stored)) return true;
  return plain !== typed && (await isPassword(typed, stored));
}
