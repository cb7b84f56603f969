import type { Assistant } from './assistant.ts';

/** Answers with the help texts as they are: nothing leaves this server. */
export const openLocalAssistant = (): Assistant => ({
  host: null,
  write: async ({ draft }) => ({ by: 'draft', text: draft }),
});
