/** A check-in is kept on the phone for so long, in milliseconds. The server takes no older one. */
export const keptMs = 24 * 3_600_000;
