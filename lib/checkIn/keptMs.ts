/**
 * A check-in is kept on the phone for so long, in milliseconds. The server takes no older one. One with a red flag is
 * kept until it is sent, and taken.
 */
export const keptMs = 24 * 3_600_000;
