import { linksContract } from '#features/links/contract.ts';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { useLive } from '#wire/use-live.tsx';
import { insights } from './insight-calls.tsx';
import { describeFirstOpening, describeFrom, isFirstOpening } from './insight-texts.ts';

const links = callsOf('links', linksContract);
/** So many looks of their own before the first of somebody else are believable. */
const looksBefore = 20;

/** Says in the studio at once that somebody has opened a link for the first time: "Bob opened Beach". */
export function FirstOpenNotice() {
  useLive(['visit.opened'], [], ({ linkId, visitId }) => {
    // Nothing is lost when the question fails: the email comes anyway.
    if (linkId !== undefined && visitId !== undefined) notifyIfFirst(linkId, visitId).catch(() => undefined);
  });
  return null;
}

async function notifyIfFirst(linkId: string, visitId: string): Promise<void> {
  const [{ visits }, { notify }] = await Promise.all([
    insights.visitsOfLink.call({ linkId, limit: looksBefore }),
    links.one.call({ linkId }),
  ]);
  const visit = visits.find((one) => one.visitId === visitId);
  if (visit === undefined || notify === 'none' || !isFirstOpening(visits, visitId)) return;
  toast.notify('info', { title: describeFirstOpening(visit), message: describeFrom(visit) });
}
