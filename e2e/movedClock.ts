/** Adds the milliseconds in a file to the wall clock of a process. Its monotonic clock and those of devices go on. */
const movesClock = `
  import { readFileSync } from 'node:fs';
  const now = Date.now;
  let [readAt, ms] = [0, 0];
  Date.now = () => {
    const at = now();
    if (at - readAt > 100) {
      readAt = at;
      try { ms = Number(readFileSync(process.env.WALL_CLOCK_MOVED, 'utf8')); } catch { ms = 0; }
    }
    return at + ms;
  };`;

/** Returns the environment of a server whose wall clock is moved by the milliseconds in a file, by none without it. */
export function movedClock(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(movesClock)}`, WALL_CLOCK_MOVED: file };
}
