/** What Base UI tells of an asked-for change. */
interface Asked {
  reason: string;
  event: Event;
  cancel(): void;
}

/** Closes what is asked to close, unless by the second click of a double click: that was meant for the button that has just opened it. */
export const closeBy =
  (onClose: () => void) =>
  (isOpen: boolean, { reason, event, cancel }: Asked): void => {
    if (isOpen) return;
    if (reason === 'outside-press' && event instanceof MouseEvent && event.detail > 1) cancel();
    else onClose();
  };
