import { Fragment, type ReactNode } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Sentence } from '#ui/forms/sentence.tsx';
import type { ExpiryInput, LinkRulesInput } from '../contract.ts';
import { usualScreens } from '../offers/gate-texts.ts';
import { AgreementWord } from './agreement-part.tsx';
import { CountryWord } from './country-part.tsx';
import { DeviceWord } from './device-part.tsx';
import { EmailWord } from './email-part.tsx';
import { ScreensWord, StartWord, VisitsWord } from './limit-parts.tsx';
import { PasswordWord, type Person, PersonWord } from './person-parts.tsx';
import { noSale, PriceWord, type SaleState } from './price-part.tsx';
import { ProtectionWord } from './protection-part.tsx';
import { describeNameReaders, nameProtection } from './protection-words.ts';
import { AgeWord, AudienceWord, EndWord, TimeWord } from './rule-parts.tsx';
import type { RulesProps } from './rules-props.ts';

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
  /** The link that exists already. */
  linkId?: string | undefined;
}

/** The rule as speech; every underlined word can be tapped and changed. */
export function RuleSentence({ draft, onChange, people, shows, sale = noSale, linkId }: RuleSentenceProps) {
  const { rules, expiry, hasPassword } = draft;
  const change = (changed: Partial<LinkRulesInput>) => onChange({ rules: { ...rules, ...changed } });
  return (
    <Sentence>
      <span>{shows}</span>
      <span>{shows ? ' for ' : 'For '}</span>
      <Kept end=",">
        {people === undefined ? (
          <PersonWord person={draft} readers={describeNameReaders(rules)} onChange={onChange} />
        ) : (
          <span>{people}</span>
        )}
      </Kept>
      <span> </span>
      <PriceWord rules={rules} onChange={change} sale={sale} />
      <span>{' to view '}</span>
      <TimeWord rules={rules} onChange={change} />
      <span>{', open to '}</span>
      <Kept end={hasPassword ? '' : ','}>
        <AudienceWord rules={rules} onChange={change} />
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
      <GateWords rules={rules} onChange={change} linkId={linkId} />
      <LimitWords rules={rules} onChange={change} />
      <span>{' Ends '}</span>
      <Kept end=".">
        <EndWord expiry={expiry} onChange={(end) => onChange({ expiry: end })} />
      </Kept>
    </Sentence>
  );
}

/** What is asked before the link opens, where it is: " By email: only lena@example.com. Agree first: House rules." */
function GateWords({ rules, onChange, linkId }: RulesProps) {
  const { email, agreementId } = rules;
  return (
    <>
      {email && <span>{' By email: '}</span>}
      {email && (
        <Ended end=".">
          <EmailWord rules={rules} onChange={onChange} />
        </Ended>
      )}
      {agreementId !== undefined && <span>{' Agree first: '}</span>}
      {agreementId !== undefined && (
        <Ended end=".">
          <AgreementWord rules={rules} onChange={onChange} linkId={linkId} agreementId={agreementId} />
        </Ended>
      )}
    </>
  );
}

/** Limits that most links do without: " Limits: only in Germany, 3 visits each, 1 screen at a time. Opens 20 Dec, 18:00." */
function LimitWords({ rules, onChange }: RulesProps) {
  const { geo, maxVisits, maxConcurrent, notBefore, desktopAllowed } = rules;
  const limits = [
    geo && <CountryWord key="geo" rules={rules} onChange={onChange} geo={geo} />,
    !desktopAllowed && <DeviceWord key="device" rules={rules} onChange={onChange} />,
    maxVisits && <VisitsWord key="visits" rules={rules} onChange={onChange} maxVisits={maxVisits} />,
    maxConcurrent !== usualScreens && <ScreensWord key="screens" rules={rules} onChange={onChange} />,
  ].filter((limit) => typeof limit === 'object');
  return (
    <>
      {limits.length > 0 && <span>{' Limits: '}</span>}
      {limits.map((limit, n) => (
        <Fragment key={limit.key}>
          {n > 0 && <span> </span>}
          <Ended end={n < limits.length - 1 ? ',' : '.'}>{limit}</Ended>
        </Fragment>
      ))}
      {notBefore !== undefined && <span>{' Opens '}</span>}
      {notBefore !== undefined && (
        <Ended end=".">
          <StartWord rules={rules} onChange={onChange} notBefore={notBefore} />
        </Ended>
      )}
      {nameProtection(rules).length > 0 && <span>{' Protection: '}</span>}
      {nameProtection(rules).length > 0 && (
        <Ended end=".">
          <ProtectionWord rules={rules} onChange={onChange} />
        </Ended>
      )}
    </>
  );
}

/** Words that may be long, such as an address: they break as other text does, with what ends them right behind. */
function Ended({ end, children }: { end: string; children: Elements }) {
  return (
    <>
      {children}
      <span>{end}</span>
    </>
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
