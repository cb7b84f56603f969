import { useMemo, useState } from 'react';
import { listCountries } from '#features/accounts/countries-and-zones.ts';
import { foldText } from '#kit/search.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { nameCountries } from '../offers/gate-texts.ts';
import type { Policy } from '../policy.ts';
import type { RulesProps } from './rules-props.ts';
import { Word } from './sentence-part.tsx';

type Geo = NonNullable<Policy['geo']>;

/** "only in Germany and 2 more", "not in France". */
export function CountryWord({ rules, onChange, geo }: RulesProps & { geo: Geo }) {
  return (
    <Word word={nameCountries(geo)} title="Countries">
      {(close) => <CountryForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

const modes = [
  { value: 'allow', label: 'Only in' },
  { value: 'block', label: 'Not in' },
] as const;

/** Where the link opens; a country is found by its name. */
export function CountryForm({ rules: { geo }, onChange, close }: RulesProps & { close: () => void }) {
  const [mode, setMode] = useState<Geo['mode']>(geo?.mode ?? 'allow');
  const [chosen, setChosen] = useState<readonly string[]>(geo?.countries ?? []);
  const [opensUnknown, setOpensUnknown] = useState(geo?.whenUnknown === 'allow');
  const save = () => {
    onChange({ geo: { mode, countries: [...chosen], whenUnknown: opensUnknown ? 'allow' : 'deny' } });
    close();
  };
  return (
    <div className="grid gap-3">
      <Segmented label="Countries" options={modes} value={mode} onChange={setMode} />
      <CountryList chosen={chosen} onChange={setChosen} />
      <Switch
        label="Open where we can't tell"
        hint="Some networks don't say which country they are in."
        checked={opensUnknown}
        onChange={setOpensUnknown}
      />
      <Button disabled={chosen.length === 0} onClick={save}>
        Done
      </Button>
      {geo !== undefined && (
        <Button
          variant="outline"
          onClick={() => {
            onChange({ geo: undefined });
            close();
          }}
        >
          Every country
        </Button>
      )}
    </div>
  );
}

/** Every country by its name, those that were chosen first. */
function CountryList({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const [search, setSearch] = useState('');
  const countries = useMemo(() => listCountries(), []);
  // What is chosen while the list is open stays where it is.
  const [first] = useState(chosen);
  const wanted = foldText(search.trim());
  const shown = countries
    .filter(({ label }) => foldText(label).includes(wanted))
    .sort((one, other) => Number(first.includes(other.value)) - Number(first.includes(one.value)));
  const toggle = (code: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, code] : chosen.filter((other) => other !== code));
  return (
    <>
      <SearchField label="Search countries" maxLength={60} value={search} onSearch={setSearch} />
      {shown.length === 0 ? (
        <p className="text-13 text-quiet">No country is called that.</p>
      ) : (
        <ul className="scroll-quiet scroll-fade max-h-44 overflow-y-auto overscroll-contain" aria-label="Countries">
          {shown.map(({ value, label }) => (
            <li key={value}>
              <Checkbox label={label} checked={chosen.includes(value)} onChange={(isOn) => toggle(value, isOn)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
