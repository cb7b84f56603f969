import { ORPCError } from '@orpc/client';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as z from 'zod';

/** What is wrong, by the name of the field; `''` is about the form as a whole. */
export type Faults = Readonly<Record<string, string>>;

interface FormSettings<Values extends object, Shape extends z.ZodType> {
  /** The contract's own shape: what it refuses is never sent. */
  shape: Shape;
  initial: Values;
  send: (input: z.output<Shape>) => Promise<void>;
  /** Called with what was wrong, before or after sending. */
  onFault?: ((faults: Faults, error?: unknown) => void) | undefined;
}

/** Something the page itself found out; its message is ready to show. */
export class FormError extends Error {}

/** The fault of a failed call, on the field that the server names. */
export function faultsOf(error: unknown): Faults {
  if (error instanceof FormError) return { '': error.message };
  if (!(error instanceof ORPCError)) return { '': 'Something went wrong. Check your connection and try again.' };
  const field = (error.data as { field?: string } | undefined)?.field ?? '';
  return { [field.split('.').at(-1) ?? '']: error.message };
}

function issuesOf(error: z.ZodError): Faults {
  const faults: Record<string, string> = {};
  for (const { path, message } of error.issues) faults[String(path.at(-1) ?? '')] ??= message;
  return faults;
}

/** Puts the focus on the first control that is marked as wrong, so that what is typed next mends it. */
function focusFirstFault(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

type SetValue<Values extends object> = <Name extends keyof Values & string>(name: Name, value: Values[Name]) => void;

/** The properties of a form's fields. */
const fieldsOf = <Values extends object>(values: Values, faults: Faults, set: SetValue<Values>) => ({
  /** Of a text field. */
  text: (name: keyof Values & string) => ({
    name,
    value: String(values[name]),
    error: faults[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value as Values[typeof name]),
  }),
  /** Of a box or a switch. */
  box: (name: keyof Values & string) => ({
    name,
    checked: Boolean(values[name]),
    error: faults[name],
    onChange: (checked: boolean) => set(name, checked as Values[typeof name]),
  }),
});

/** A form whose values are checked by the contract's shape before they are sent; refusals land on their field. */
export function useForm<Values extends object, Shape extends z.ZodType>({
  shape,
  initial,
  send,
  onFault,
}: FormSettings<Values, Shape>) {
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  // Two Enters may come before the first of them is drawn.
  const isSending = useRef(false);
  const fail = (form: HTMLFormElement, found: Faults, from: Element | null, error?: unknown) => {
    // The marks have to stand in the page before one of them can be found.
    flushSync(() => setFaults(found));
    // Whoever types elsewhere by now is not moved: the rest of a password would land in another field.
    if ([from, document.body].includes(document.activeElement)) focusFirstFault(form);
    onFault?.(found, error);
  };
  const set: SetValue<Values> = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    setFaults(({ [name]: _gone, ...rest }) => rest);
  };
  return {
    values,
    faults,
    isBusy,
    set,
    /** Empties the form. */
    reset: () => setValues(initial),
    ...fieldsOf(values, faults, set),
    submit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (isSending.current) return;
      const form = event.currentTarget;
      const from = document.activeElement;
      const checked = shape.safeParse(values);
      if (!checked.success) return fail(form, issuesOf(checked.error), from);
      setFaults({});
      isSending.current = true;
      setBusy(true);
      try {
        await send(checked.data);
      } catch (error) {
        fail(form, faultsOf(error), from, error);
      } finally {
        isSending.current = false;
        setBusy(false);
      }
    },
  };
}
