/** A soft pulse beside words that say what is happening now. */
export function LiveDot() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2 flex-none animate-live rounded-full bg-ember ring-4 ring-ember/20"
    />
  );
}
