/* A part of the script that it adds by its address. */
window.stripeParts = (window.stripeParts ?? 0) + 1;
