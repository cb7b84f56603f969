import type { ComponentProps } from 'react';
import { Field } from '#ui/forms/field.tsx';

/** What lists take as a search. */
const mostLetters = 80;

type SearchFieldProps = Pick<
  ComponentProps<typeof Field>,
  'label' | 'hint' | 'error' | 'className' | 'placeholder' | 'onFocus'
> & {
  value: string;
  onSearch: (text: string) => void;
  maxLength?: number;
};

/** The line in which words are typed that something is looked for by: no keyboard corrects or completes them. */
export function SearchField({ onSearch, maxLength = mostLetters, ...rest }: SearchFieldProps) {
  return (
    <Field
      {...rest}
      type="search"
      maxLength={maxLength}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onSearch(event.target.value)}
    />
  );
}
