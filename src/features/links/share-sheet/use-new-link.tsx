import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import { LinkRulesInput, type MagicLink } from '../contract.ts';
import { links } from '../link-calls.tsx';
import { suggestName } from '../link-texts.ts';
import type { Policy } from '../policy.ts';
import { beginOffers } from '../presets/album-default-rules.ts';
import { withPreset } from '../presets/preset-rules.ts';
import type { LinkPreset } from '../presets/presets-contract.ts';
import type { SheetAlbum } from './albums-part.tsx';
import type { SaleState } from './price-part.tsx';
import type { RuleChange, RuleDraft } from './rule-sentence.tsx';

/** A link before it is made. */
export interface Draft extends RuleDraft {
  password: string | undefined;
  /** Empty: it is called after its person. */
  linkName: string;
  welcomeText: string;
  /** The ways in before its albums said anything; undefined once its creator chose some. */
  usualOffers: Policy['offers'] | undefined;
}

const usual: Omit<Draft, 'expiry' | 'usualOffers'> = {
  recipientName: '',
  recipientChannel: null,
  rules: LinkRulesInput.parse({}),
  hasPassword: false,
  password: undefined,
  linkName: '',
  welcomeText: '',
};

/** The last rules are where the next link begins: most links of a creator are alike. */
let lastRules: Partial<Pick<Draft, 'rules' | 'expiry'>> = {};

/** What a new link begins with beside its albums. */
interface Beginning {
  albums: readonly SheetAlbum[];
  sale: SaleState;
  /** By the settings in force. */
  defaultDays: number;
  own: readonly LinkPreset[];
}

/** Returns where a new link begins: with the preset that its creator chose for that, else as the one before, and with what its albums say. */
function beginDraft({ defaultDays, own, albums, sale }: Beginning): Draft {
  const usualEnd = { ...usual, expiry: { kind: 'after', hours: defaultDays * 24 } } as const;
  const first = own.find(({ isDefault }) => isDefault);
  const begun =
    first === undefined
      ? { ...usualEnd, ...lastRules }
      : { ...usualEnd, rules: withPreset(usual.rules, first), expiry: first.expiry };
  return showing({ ...begun, usualOffers: begun.rules.offers }, albums, sale);
}

/** The draft of a link to other albums: the ways in follow them until its creator has chosen some. */
function showing(draft: Draft, albums: readonly SheetAlbum[], sale: SaleState): Draft {
  const { usualOffers, rules } = draft;
  if (usualOffers === undefined) return draft;
  const mostCents = sale.state === 'ready' ? sale.mostPriceCents : undefined;
  return { ...draft, rules: { ...rules, offers: beginOffers(usualOffers, albums, mostCents) } };
}

/** A link to come and what it shows. */
export function useDraft({ first, ...beginning }: Omit<Beginning, 'albums'> & { first: SheetAlbum }) {
  const { sale } = beginning;
  const [albums, setAlbums] = useState<readonly SheetAlbum[]>([first]);
  const [draft, setDraft] = useState(() => beginDraft({ ...beginning, albums }));
  const change = ({ password, ...rest }: RuleChange) => {
    const secret = password === undefined ? {} : { hasPassword: password !== null, password: password ?? undefined };
    const isChosen = rest.rules !== undefined && rest.rules.offers !== draft.rules.offers;
    setDraft((before) => ({ ...before, ...rest, ...secret, ...(isChosen && { usualOffers: undefined }) }));
  };
  const show = (chosen: readonly SheetAlbum[]) => {
    setAlbums(chosen);
    setDraft((before) => showing(before, chosen, sale));
  };
  return { draft, setDraft, change, albums, show };
}

/** Days of the calendar and addresses are of one link only, and so is letting in whoever is not grown up: that is said each time. */
const keepRules = ({ rules, expiry, usualOffers }: Draft) => {
  lastRules = {
    // What an album said is of that album only.
    rules: {
      ...rules,
      offers: usualOffers ?? rules.offers,
      ageGate: usual.rules.ageGate,
      email: undefined,
      notBefore: undefined,
    },
    ...(expiry.kind !== 'at' && { expiry }),
  };
};

/** Returns what the draft asks for. */
const inputOf = (draft: Draft, albumIds: readonly string[], isLaxConfirmed: boolean) => ({
  albumIds: [...albumIds],
  linkName: draft.linkName || suggestName(draft.recipientName, draft.recipientChannel),
  recipientName: draft.recipientName || null,
  recipientChannel: draft.recipientChannel,
  welcomeText: draft.welcomeText,
  rules: draft.rules,
  expiry: draft.expiry,
  isLaxConfirmed,
  ...(draft.password !== undefined && { password: draft.password }),
});

/** Makes the link at most once; a protected album asks first, and the answer goes on where it stopped. */
export function useMaking(draft: Draft, albumIds: readonly string[]) {
  const queries = useQueryClient();
  const create = useWrite(links.create.mutationOptions());
  const [made, setMade] = useState<MagicLink>();
  const [question, setQuestion] = useState<{ text: string; answer: (isYes: boolean) => void }>();
  const sendOrAsk = async (params: Draft) => {
    const send = (isLaxConfirmed: boolean) => create.mutateAsync(inputOf(params, albumIds, isLaxConfirmed));
    try {
      return await send(false);
    } catch (error) {
      const { data, message } = error as { data?: { reason?: string }; message: string };
      if (data?.reason !== 'LAXER_THAN_ALBUM') throw error;
      const isYes = await new Promise<boolean>((answer) => setQuestion({ text: message, answer }));
      setQuestion(undefined);
      if (!isYes) throw new Error('', { cause: error }); // the title of its notice says it all
      return send(true);
    }
  };
  const update = useWrite(
    links.update.mutationOptions({
      onSuccess: (link) => setMade(link),
      onError: ({ message }) => toast.error({ title: "Couldn't save the change", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: links.key() }),
    }),
  );
  const making = useRef<Promise<MagicLink>>(undefined);
  const makeNow = async (recipientName: string): Promise<MagicLink> => {
    const link = await sendOrAsk({ ...draft, recipientName });
    keepRules(draft);
    setMade(link);
    await queries.invalidateQueries({ queryKey: links.list.key() });
    return link;
  };
  // Copy and QR may both be tapped before the first answer: they wait for the same link.
  const make = (recipientName = draft.recipientName): Promise<MagicLink> => {
    if (made !== undefined) return Promise.resolve(made);
    making.current ??= makeNow(recipientName).finally(() => {
      making.current = undefined;
    });
    return making.current;
  };
  return {
    made,
    make,
    /** Carries a change of words over to the link that was made already. */
    follow: (change: RuleChange) => made && update.mutate({ linkId: made.id, ...change }),
    isPending: create.isPending,
    asked: question?.text,
    answer: (isYes: boolean) => question?.answer(isYes),
  };
}
