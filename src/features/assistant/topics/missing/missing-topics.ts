import type { Topic } from '../topic.ts';
import { missingAccount } from './account.ts';
import { missingContact } from './contact.ts';
import { missingContent } from './content.ts';
import { missingMoney } from './money.ts';

/** What people ask for most that is not here, or not as they think: each says so. */
export const missingTopics: readonly Topic[] = [
  ...missingMoney,
  ...missingContact,
  ...missingContent,
  ...missingAccount,
];
