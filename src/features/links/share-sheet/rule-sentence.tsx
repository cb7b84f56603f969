import type { ReactNode } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Sentence } from '#ui/forms/sentence.tsx';
import type { ExpiryInput, LinkRulesInput } from '../contract.ts';
import { PasswordWord, type Person, PersonWord } from './person-parts.tsx';
import { noSale, PriceWord, type SaleState } from './price-part.tsx';
import { AgeWord, CrowdWord, EndWord, TimeWord } from './rule-parts.tsx';

/** A link's rule while it is being said. */
export interface RuleDraft extends Person {
  rules: LinkRulesInput;
  expiry: ExpiryInput;
  hasPassword: boolean;
}

export interface RuleChange extends Partial<Person> {
  rules?: LinkRulesInput;
  expiry?: ExpiryInput;
  /** null takes it away. */
  password?: string | null;
}

interface RuleSentenceProps {
  draft: RuleDraft;
  onChange: (change: RuleChange) => void;
  /** Whom it is for, where that is said elsewhere: "each of 12 people". */
  people?: string | undefined;
  /** What it shows, when that is not said elsewhere. */
  shows?: ReactNode;
  sale?: SaleState;
}

/** The rule as speech; every underlined word can be tapped and changed. */
export function RuleSentence({ draft, onChange, people, shows, sale = noSale }: RuleSentenceProps) {
  const { rules, expiry, hasPassword } = draft;
  const change = (changed: Partial<LinkRulesInput>) => onChange({ rules: { ...rules, ...changed } });
  return (
    <Sentence>
      <span>{shows}</span>
      <span>{shows ? ' for ' : 'For '}</span>
      <Kept end=",">
        {people === undefined ? <PersonWord person={draft} onChange={onChange} /> : <span>{people}</span>}
      </Kept>
      <span> </span>
      <PriceWord rules={rules} onChange={change} sale={sale} />
      <span>{' to view '}</span>
      <TimeWord rules={rules} onChange={change} />
      <span>{', open to '}</span>
      <Kept end={hasPassword ? '' : ','}>
        <CrowdWord rules={rules} onChange={change} />
      </Kept>
      {hasPassword && <span>{' and '}</span>}
      {hasPassword && (
        <Kept end=",">
          <PasswordWord hasPassword onChange={(password) => onChange({ password })} />
        </Kept>
      )}
      <span>{rules.ageGate ? ' ' : ' of '}</span>
      <Kept end=".">
        <AgeWord rules={rules} onChange={change} />
      </Kept>
      <span>{' Ends '}</span>
      <Kept end=".">
        <EndWord expiry={expiry} onChange={(end) => onChange({ expiry: end })} />
      </Kept>
    </Sentence>
  );
}

/** A word and what ends it stay on one line. */
function Kept({ end, children }: { end: string; children: Elements }) {
  return (
    <span className="whitespace-nowrap [&>button]:max-w-full [&>button]:whitespace-normal">
      {children}
      <span>{end}</span>
    </span>
  );
}
