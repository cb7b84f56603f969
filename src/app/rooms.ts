/** Every room's answers, one line each. */
export const router = {};
