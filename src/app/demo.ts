import type { Engines } from '#engines/engines.ts';

/** On the first start of a sandbox: a creator, an admin and a link to look at; returns what to print. */
export async function seedDemo(_engines: Engines): Promise<string> {
  return '';
}
