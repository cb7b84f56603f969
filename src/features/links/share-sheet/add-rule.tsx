import {
  CalendarClock,
  Globe,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  Plus,
  Repeat,
  ScrollText,
  ShieldCheck,
  Smartphone,
} from 'lucide-react';
import { useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { usualScreens } from '../offers/gate-texts.ts';
import { AgreementForm } from './agreement-part.tsx';
import { CountryForm } from './country-part.tsx';
import { DeviceForm } from './device-part.tsx';
import { EmailForm } from './email-part.tsx';
import { type FormProps, ScreensForm, StartForm, VisitsForm } from './limit-parts.tsx';
import { ProtectionForm } from './protection-part.tsx';
import { nameProtection } from './protection-words.ts';
import type { RulesProps } from './rules-props.ts';
import { Word } from './sentence-part.tsx';

interface Kind {
  label: string;
  icon: LucideIcon;
  /** It is a word of the sentence already. */
  isSet(rules: RulesProps['rules']): boolean;
  form(props: FormProps): Elements;
}

const kinds: readonly Kind[] = [
  { label: 'Email address', icon: Mail, isSet: ({ email }) => email !== undefined, form: EmailForm },
  { label: 'Agreement', icon: ScrollText, isSet: ({ agreementId }) => agreementId !== undefined, form: AgreementForm },
  { label: 'Countries', icon: Globe, isSet: ({ geo }) => geo !== undefined, form: CountryForm },
  { label: 'Phones only', icon: Smartphone, isSet: ({ desktopAllowed }) => !desktopAllowed, form: DeviceForm },
  { label: 'When it opens', icon: CalendarClock, isSet: ({ notBefore }) => notBefore !== undefined, form: StartForm },
  { label: 'Number of visits', icon: Repeat, isSet: ({ maxVisits }) => maxVisits !== undefined, form: VisitsForm },
  {
    label: 'Screens at a time',
    icon: MonitorSmartphone,
    isSet: ({ maxConcurrent }) => maxConcurrent !== usualScreens,
    form: ScreensForm,
  },
  {
    label: 'Protection',
    icon: ShieldCheck,
    isSet: (rules) => nameProtection(rules).length > 0,
    form: ProtectionForm,
  },
];

/** The button behind which the rules are that most links do without; one that is set is a word of the sentence instead. */
export function AddRule(props: RulesProps) {
  const left = kinds.filter(({ isSet }) => !isSet(props.rules));
  if (left.length === 0) return null;
  return (
    <Word
      word={
        <Button variant="bare" icon={Plus}>
          Add a rule
        </Button>
      }
      title="Add a rule"
    >
      {(close) => <Adding kinds={left} {...props} close={close} />}
    </Word>
  );
}

/** The button that was pressed is gone, so the keyboard goes on from what came for it. */
const takeFocus = (title: HTMLElement | null) => title?.focus();

function Adding({ kinds: left, ...props }: FormProps & { kinds: readonly Kind[] }) {
  const [chosen, setChosen] = useState<Kind>();
  if (chosen !== undefined)
    return (
      <>
        <h3 ref={takeFocus} tabIndex={-1} className="font-medium text-quiet outline-none">
          {chosen.label}
        </h3>
        <chosen.form {...props} />
      </>
    );
  return (
    <ul className="-mx-2 grid">
      {left.map((kind) => (
        <li key={kind.label}>
          <button
            type="button"
            onClick={() => setChosen(kind)}
            className="flex min-h-11 w-full items-center gap-3 rounded-control px-2.5 text-left -outline-offset-2 hover:bg-plum-wash"
          >
            <kind.icon className="size-4.5 text-quiet" aria-hidden="true" />
            <span>{kind.label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
