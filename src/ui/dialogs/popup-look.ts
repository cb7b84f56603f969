/** The classes shared by everything that opens beside its trigger. */
export const popupLook =
  'origin-(--transform-origin) rounded-card border border-line bg-raised p-1.5 shadow-soft outline-none transition duration-quick data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0';

/** The classes of one line in a menu or select. */
export const optionLook =
  'flex min-h-11 cursor-default select-none items-center gap-3 rounded-photo px-3 py-2 outline-none data-disabled:opacity-50 data-highlighted:bg-plum-wash';

/** The classes of the cloth behind a dialog or sheet. */
export const veilLook =
  'fixed inset-0 z-30 bg-veil backdrop-blur-[3px] transition-opacity duration-calm data-ending-style:opacity-0 data-starting-style:opacity-0';
