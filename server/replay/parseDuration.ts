const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Takes "90s", "8m", "2h" or "1d" and returns milliseconds, or null when the text is none of these. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  const unit = match?.[2];
  return unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? Number(match?.[1]) * units[unit] : null;
}
