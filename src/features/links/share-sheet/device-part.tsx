import { phonesOnly } from '../offers/gate-texts.ts';
import type { FormProps } from './limit-parts.tsx';
import type { RulesProps } from './rules-props.ts';
import { Choices, Word } from './sentence-part.tsx';

/** "phones and tablets only". */
export function DeviceWord({ rules, onChange }: RulesProps) {
  return (
    <Word word={phonesOnly} title="Devices">
      {(close) => <DeviceForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

/** Whether a link opens on computers. */
export function DeviceForm({ rules: { desktopAllowed }, onChange, close }: FormProps) {
  return (
    <>
      <Choices
        close={close}
        choices={[
          { label: 'Any device', isOn: desktopAllowed, pick: () => onChange({ desktopAllowed: true }) },
          { label: 'Phones and tablets only', isOn: !desktopAllowed, pick: () => onChange({ desktopAllowed: false }) },
        ]}
      />
      <p className="text-13 text-quiet">
        This goes by what a browser says it is. A browser on a computer can claim to be a phone, so it makes copying
        harder and doesn't prevent it. Some tablets say they are a computer and are kept out as well.
      </p>
    </>
  );
}
