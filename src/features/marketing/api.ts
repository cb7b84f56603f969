import { implement } from '@orpc/server';
import { settingsOf } from '#features/settings/settings.ts';
import type { Context } from '#wire/context.ts';
import { marketingContract } from './contract.ts';
import { legalNumbersOf } from './legal-words.ts';

const answer = implement(marketingContract).$context<Context>();

/** What the public pages ask. */
export const marketingApi = {
  demoLink: answer.demoLink.handler(async ({ context: { engines } }) => {
    const slug = (await settingsOf(engines))['marketing.demoLinkSlug'];
    return { url: slug === '' ? null : `${engines.installation.publicUrl}/view/${slug}` };
  }),
  operator: answer.operator.handler(async ({ context: { engines } }) => {
    const { operatorName, operatorEmail, isSandbox } = engines.installation;
    const settings = await settingsOf(engines);
    return {
      name: operatorName ?? null,
      email: operatorEmail ?? null,
      isSandbox,
      assistantHost: engines.assistant.host,
      ...legalNumbersOf(settings),
    };
  }),
};
