import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { newId } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import type { DemoEvent } from '../contract.ts';
import { insertDemoEvent } from './demo-events-store.ts';

/** About twenty whole stories. */
const perHour = 180;

/** Notes a scene that was seen; what one network sends beyond its share is forgotten. */
export async function noteDemoEvent({ engines, caller, now, asSystem }: Context, event: DemoEvent): Promise<void> {
  const key = hashKey(engines.keys, 'demo-events', networkOf(caller.address));
  await asSystem(async (tx) => {
    const { isOver } = await takeRate(tx, { key, limit: perHour, windowSeconds: 3600, now });
    if (isOver) return;
    // What a browser calls itself is read from its call, never from what a script says.
    const meta = { ...event.meta, user_agent: caller.userAgent };
    await insertDemoEvent(tx, { ...event, meta, id: newId<'demo-event'>(now.getTime()), now });
  });
}
