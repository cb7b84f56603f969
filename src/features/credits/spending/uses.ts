import { listStorageExtras } from '#features/accounts/storage-extras-store.ts';
import { findAnswers } from '#features/assistant/answers-store.ts';
import { listUnopened } from '#features/links/store.ts';
import { findVideoTime } from '#features/media/video-time-store.ts';
import { countWithoutTime, listWaitingVideos } from '#features/media/waiting-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { monthOf } from '#kit/time.ts';
import type { CreatorContext } from '#wire/context.ts';
import type { CreditUses } from '../contract.ts';
import { settleCredits } from '../lots/settling.ts';
import { listBought } from '../packs/buying.ts';
import { mostListed } from '../rules.ts';
import { countTraces } from '../trace-billing.ts';

/** What credits can be spent for, what it costs, and what of it they have. */
export async function listUses({ engines, creator, work, now }: CreatorContext): Promise<CreditUses> {
  const { userId } = creator;
  const settings = await settingsOf(engines);
  await settleCredits(engines, userId);
  return work(async (tx) => ({
    canBuy: !engines.payments.isOff,
    isSandbox: engines.sandbox !== undefined,
    packs: await listBought(tx, engines, userId),
    storage: {
      credits: settings['credits.storage'],
      bytes: settings['credits.storageBytes'],
      days: settings['credits.storageDays'],
      has: await listStorageExtras(tx, userId, new Date(engines.clock())),
    },
    traces: {
      credits: settings['credits.trace'],
      free: settings['credits.freeTraces'],
      usedThisMonth: await countTraces(tx, engines, userId),
    },
    address: { credits: settings['credits.address'], links: await listUnopened(tx, userId, now, mostListed) },
    priority: { credits: settings['credits.priority'], videos: await listWaitingVideos(tx, userId, mostListed) },
    videoTime: {
      credits: settings['credits.videoHour'],
      freeSeconds: 3600 * settings['limits.videoHours'],
      ...(await findVideoTime(tx, { userId, month: monthOf(new Date(engines.clock())) })),
      waiting: await countWithoutTime(tx, userId),
    },
    answers:
      engines.assistant.host === null
        ? null
        : {
            credits: settings['credits.answers'],
            each: settings['credits.answersEach'],
            free: settings['assistant.freeAnswers'],
            ...(await findAnswers(tx, { userId, month: monthOf(now) })),
          },
  }));
}
