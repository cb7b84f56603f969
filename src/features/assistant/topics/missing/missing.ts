import type { OwnPage } from '../own-pages.ts';
import type { Topic } from '../topic.ts';

/** Makes a topic of something that people ask for and that is not here. */
export const missing = (
  id: string,
  title: string,
  keys: readonly string[],
  text: string,
  page: OwnPage = '/help',
): Topic => ({ group: 'missing', page, id, title, asks: [], keys, text: () => text });
