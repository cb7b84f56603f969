/** Hours in which a deleted album or picture can be brought back; people are told so when they agree to the terms. */
export const undoHours = 72;
export const undoMs = undoHours * 3_600_000;
