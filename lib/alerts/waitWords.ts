/** Takes a wait in milliseconds and returns "46 s", "3 min 10 s" or "1 h 5 min"; null, which is unknown, is "--". */
export function waitWords(ms: number | null): string {
  if (ms === null) {
    return '--';
  }
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.ceil(ms / 60_000);
  if (seconds < 3_600) {
    const rest = seconds % 60;
    return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
  }
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}
