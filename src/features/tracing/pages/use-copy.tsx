import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { whyNotSent } from './copy-rules.ts';
import { CopyCosts, type CopyParams, type Sending, sendCopy } from './send-copy.tsx';
import { leaksOf } from './trace-calls.tsx';

/** The file that this page submitted last, as long as the page lives. */
let sent: { traceId: string; file: File } | undefined;

/** The file that became this trace; undefined after a reload, and for one that was submitted elsewhere. */
export const findSent = (traceId: string): File | undefined => (sent?.traceId === traceId ? sent.file : undefined);

/** Sends a copy and goes to its trace. @param albumId in whose pages the trace is shown */
export function useCopy(albumId: string, paramsOf: () => CopyParams) {
  const go = useNavigate();
  const { photoBytes, clipBytes, clipMinutes } = useMe().me?.limits ?? usualLimits;
  const sending = useRef<Sending>(undefined);
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const [isCancelled, setCancelled] = useState(false);
  const [asked, setAsked] = useState<{ files: readonly File[]; costs: CopyCosts }>();
  useEffect(() => () => sending.current?.cancel(), []);
  const send = async (files: readonly File[], credits?: number) => {
    const [file] = files;
    if (file === undefined || share !== undefined) return;
    const why = whyNotSent(files, { photoBytes, clipBytes });
    setFault(why);
    setCancelled(false);
    setAsked(undefined);
    if (why !== undefined) return;
    setShare(0);
    sending.current = sendCopy(file, { ...paramsOf(), credits }, setShare);
    try {
      const traceId = await sending.current.arrived;
      if (traceId === undefined) setCancelled(true);
      else {
        sent = { traceId, file };
        await go(`${leaksOf(albumId)}/${traceId}`);
      }
    } catch (error) {
      if (error instanceof CopyCosts) setAsked({ files, costs: error });
      else setFault(error instanceof Error ? error.message : undefined);
    }
    setShare(undefined);
  };
  return {
    send,
    cancel: () => sending.current?.cancel(),
    share,
    fault,
    /** What this copy costs; it waits for a yes. */
    costs: asked?.costs,
    agree: () => asked && void send(asked.files, asked.costs.credits),
    isCancelled,
    most: { photoBytes, clipBytes, clipMinutes },
  };
}
