/** The second click of a double click: it was meant for the button that has just opened what it falls beside. */
export const isSecondClick = (event: Event): boolean => 'detail' in event && Number(event.detail) > 1;
