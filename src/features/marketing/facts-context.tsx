import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { callsOf } from '#wire/client.ts';
import { type Facts, marketingContract } from './contract.ts';
import { usualFacts } from './facts.ts';

const marketing = callsOf('marketing', marketingContract);
const Given = createContext<Facts | undefined>(undefined);

/** Gives what is inside its facts: public pages are rendered where they are known. */
export const GivenFacts = Given.Provider;

/** Returns what public pages say: as it was given, else as the server says, and until then as a new installation would. */
export function useFacts(): Facts {
  const given = useContext(Given);
  const isAsked = given === undefined;
  const { data } = useQuery(marketing.facts.queryOptions({ enabled: isAsked, staleTime: 30_000 }));
  return given ?? data ?? usualFacts;
}
