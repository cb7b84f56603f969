import { cx } from '#ui/cx.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { estimateStrength, passwordLength } from '../rules.ts';

const words = ['', 'Easy to guess', 'Fair', 'Good', 'Strong'];
const colours = ['bg-line', 'bg-rust', 'bg-ember', 'bg-moss', 'bg-moss'];

/** A new password with how hard it is to guess; the common ones the server refuses itself. */
export function NewPasswordField({
  email,
  ...field
}: {
  label: string;
  email: string;
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}) {
  const strength = estimateStrength(field.value, email);
  return (
    <div className="grid gap-2">
      <PasswordField
        {...field}
        autoComplete="new-password"
        hint={`At least ${passwordLength.min} characters. Three or four words are easy to remember and hard to guess.`}
      />
      <div className="flex items-center gap-3" aria-hidden={field.value === ''}>
        <span aria-hidden="true" className="grid flex-1 grid-cols-4 gap-1">
          {[1, 2, 3, 4].map((step) => (
            <span
              key={step}
              className={cx('h-1 rounded-full transition', step <= strength ? colours[strength] : 'bg-line')}
            />
          ))}
        </span>
        <span aria-live="polite" className="min-w-24 text-right text-13 text-quiet empty:hidden">
          {words[strength]}
        </span>
      </div>
    </div>
  );
}
