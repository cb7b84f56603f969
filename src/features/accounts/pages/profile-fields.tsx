import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { listCountries, listTimeZones } from '../countries-and-zones.ts';
import { accounts } from '../guard.tsx';
import { findHandleFault } from '../rules.ts';

const pauseMs = 350;

/** A value that has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface HandleProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
  /** The handle that they have already. */
  own: string | undefined;
}

/** The handle, looked up while it is typed. */
export function HandleField({ own, value, error, ...rest }: HandleProps) {
  const handle = useSettled(value.trim().toLowerCase());
  const isAsked = handle !== '' && handle !== own && findHandleFault(handle) === undefined;
  const { data } = useQuery({ ...accounts.checkHandle.queryOptions({ input: { handle } }), enabled: isAsked });
  const fault = value === '' ? undefined : findHandleFault(value.trim().toLowerCase());
  const isSettled = handle === value.trim().toLowerCase();
  const answer = isAsked && isSettled ? data : undefined;
  return (
    <Field
      label="Handle"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={30}
      {...rest}
      value={value}
      error={error ?? (isSettled ? (fault ?? answer?.fault) : undefined)}
      hint={
        answer?.isFree ? (
          <span className="font-medium text-moss">{`@${handle} is free`}</span>
        ) : (
          "Your unique name on PrivateFans. If you turn on your public page, it's part of its address."
        )
      }
    />
  );
}

interface PlaceProps {
  country: string | undefined;
  timeZone: string;
  faults: Readonly<Record<string, string>>;
  onCountry: (country: string) => void;
  onTimeZone: (timeZone: string) => void;
}

/** Where they are: for the law, and for the days and hours that they read. */
export function PlaceFields({ country, timeZone, faults, onCountry, onTimeZone }: PlaceProps) {
  const countries = useMemo(() => listCountries(), []);
  const timeZones = useMemo(() => listTimeZones(timeZone), [timeZone]);
  return (
    <>
      <Select
        label="Country"
        name="country"
        options={countries}
        value={country}
        onChange={onCountry}
        placeholder="Choose your country"
        error={faults.country}
      />
      <Select
        label="Time zone"
        name="timeZone"
        options={timeZones}
        value={timeZone}
        onChange={onTimeZone}
        error={faults.timeZone}
      />
    </>
  );
}
