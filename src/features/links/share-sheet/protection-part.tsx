import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { AutoResponse, Policy } from '../policy.ts';
import type { FormProps } from './limit-parts.tsx';
import { markNames, nameProtection, responseNames } from './protection-words.ts';
import type { RulesProps } from './rules-props.ts';
import { Word } from './sentence-part.tsx';

/** "hold to view, marked in a corner": what makes copying harder than on every link. */
export function ProtectionWord({ rules, onChange }: RulesProps) {
  return (
    <Word word={nameProtection(rules).join(', ')} title="Protection">
      {(close) => <ProtectionForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

const looks = Policy.shape.mark.unwrap().options;
const acts = AutoResponse.shape.do.options;
const thresholds = [1, 2, 3, 5, 10];

/** The card of the sheet. */
export function ProtectionForm({ rules, onChange, close }: FormProps) {
  return (
    <div className="scroll-quiet grid max-h-[calc(var(--available-height)-6.5rem)] gap-3 overflow-y-auto overscroll-contain">
      <ProtectionFields rules={rules} onChange={onChange} />
      <Button onClick={close}>Done</Button>
    </div>
  );
}

/** How a picture is shown, and what the link does by itself when somebody tries to copy. */
export function ProtectionFields({ rules, onChange }: RulesProps) {
  const { mark, recipientInMark, holdToView, blurWhenUnfocused, autoResponse } = rules;
  const respond = (change: Partial<AutoResponse>) => onChange({ autoResponse: { ...autoResponse, ...change } });
  return (
    <div className="grid gap-3">
      <Select
        label="Visible mark"
        hint="It names you, when the link was opened and a code. The invisible one is always on."
        options={looks.map((value) => ({ value, label: markNames[value] }))}
        value={mark}
        onChange={(look) => onChange({ mark: look })}
      />
      <Switch
        label="Their name in the mark"
        hint="Whoever opens the link sees the name that you gave for whom it is."
        checked={recipientInMark}
        onChange={(isOn) => onChange({ recipientInMark: isOn })}
      />
      <Switch
        label="Hold to view"
        hint="A picture is shown only while a finger stays on it."
        checked={holdToView}
        onChange={(isOn) => onChange({ holdToView: isOn })}
      />
      <Switch
        label="Blur when out of focus"
        hint="Hides the picture when the window loses focus."
        checked={blurWhenUnfocused}
        onChange={(isOn) => onChange({ blurWhenUnfocused: isOn })}
      />
      <Select
        label="When somebody tries to copy"
        hint="Counts keys for screenshots, saving, copying and developer tools, as far as their browser reports them."
        options={acts.map((value) => ({ value, label: responseNames[value] }))}
        value={autoResponse.do}
        onChange={(act) => respond({ do: act })}
      />
      {autoResponse.do !== 'none' && (
        <Select
          label="After how many attempts"
          options={thresholds.map((count) => ({ value: String(count), label: formatCount(count, 'attempt') }))}
          value={String(autoResponse.threshold)}
          onChange={(count) => respond({ threshold: Number(count) })}
        />
      )}
      <p className="text-13 text-quiet">This makes copying harder. A web page can't stop a screenshot.</p>
    </div>
  );
}
