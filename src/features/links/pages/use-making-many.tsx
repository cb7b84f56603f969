import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import { links } from '../link-calls.tsx';
import type { Draft } from '../share-sheet/use-new-link.tsx';

/** A link of the list, as it goes out. */
export interface MadeLink {
  id: string;
  name: string;
  url: string;
}

/** Makes a link for each name at most once; an album that wishes to be asked about asks first. */
export function useMakingMany(onMade: (made: readonly MadeLink[]) => void) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ text: string; goOn: () => void }>();
  const create = useWrite(links.createMany.mutationOptions());
  const make = async (names: string[], albumIds: string[], draft: Draft, isLaxConfirmed = false): Promise<void> => {
    const { recipientChannel, welcomeText, rules, expiry, password } = draft;
    const params = { names, albumIds, recipientChannel, welcomeText, rules, expiry, isLaxConfirmed };
    setAsked(undefined);
    try {
      const { links: made } = await create.mutateAsync({ ...params, ...(password !== undefined && { password }) });
      onMade(made);
      await queries.invalidateQueries({ queryKey: links.list.key() });
    } catch (error) {
      const { data, message } = error as { data?: { reason?: string }; message: string };
      if (data?.reason !== 'LAXER_THAN_ALBUM') return void toast.error({ title: "Couldn't create the links", message });
      setAsked({ text: message, goOn: () => void make(names, albumIds, draft, true) });
    }
  };
  return { make, isPending: create.isPending, asked, cancel: () => setAsked(undefined) };
}
