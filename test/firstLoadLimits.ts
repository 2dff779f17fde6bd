/**
 * Compressed kilobytes (of 1,000 bytes) that pages may load until their first numbers are read, for an old computer on
 * a slow line: all scripts, and the style sheets that delay the first paint.
 */
export const firstLoadLimits = {
  signInScripts: 230,
  scripts: 280,
  /** The code that parses its alerts, 5 kB, may come before or after the first numbers: 275 or 280. */
  dashboardScripts: 285,
  styles: 40,
};
