import type { RecordedSample } from './recording';

/** One recording on its way to one patient. Wall time runs straight with recording time: `startMs + offset / speed`. */
export interface Feed {
  mrn: string;
  /** In the order in which they become known; never empty. */
  samples: readonly RecordedSample[];
  /** The wall time, epoch milliseconds, of the recording's time 0 in this pass. */
  startMs: number;
  /** Recording time that passes in one unit of wall time. */
  speed: number;
  /** Recording time from one pass to the next, or null when the recording is played once. */
  cycleMs: number | null;
  /** The index of the sample to send next. */
  next: number;
}

/** A sample whose time to be sent has come; times are epoch milliseconds on this machine's clock. */
export interface DueSample extends Pick<RecordedSample, 'kind' | 'value' | 'quality'> {
  mrn: string;
  takenAt: number;
  dueAt: number;
}

/**
 * A moment given on the command line: when the first sample is sent (`start`) or the last one (`end`), epoch
 * milliseconds.
 */
export interface Anchor {
  at: 'start' | 'end';
  wallMs: number;
}

interface Wish {
  anchor: Anchor;
  speed: number;
  loop: boolean;
  /** The part of the recording that is played, counted from its first sample. */
  window: { fromMs: number; forMs: number };
}

/**
 * When a sample can be sent, in recording time: not before it was entered, and not before it was measured either. Some
 * rows were stored ahead of the time that they are charted for; a device cannot send those ahead of it.
 */
export function knownAtMs(sample: RecordedSample): number {
  return Math.max(sample.atMs, sample.enteredAtMs ?? sample.atMs);
}

/**
 * Puts a recording's samples on the wall clock. Returns null when nothing of it lies in the window. One pass of a loop
 * follows the other after one expected interval.
 */
export function planFeed(
  mrn: string,
  recording: { samples: readonly RecordedSample[]; expectedEveryMs: number },
  { anchor, speed, loop, window }: Wish,
): Feed | null {
  const inOrder = recording.samples.toSorted((a, b) => knownAtMs(a) - knownAtMs(b));
  const zero = inOrder[0] === undefined ? 0 : knownAtMs(inOrder[0]);
  const samples = inOrder.filter((sample) => {
    const offset = knownAtMs(sample) - zero;
    return offset >= window.fromMs && offset < window.fromMs + window.forMs;
  });
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const anchored = knownAtMs(anchor.at === 'start' ? first : last);
  const lengthMs = knownAtMs(last) - knownAtMs(first) + recording.expectedEveryMs;
  return { mrn, samples, startMs: anchor.wallMs - anchored / speed, speed, cycleMs: loop ? lengthMs : null, next: 0 };
}

/** When the feed's next sample is due, epoch milliseconds; null when all are sent. */
export function nextDueAt(feed: Feed): number | null {
  const sample = feed.samples[feed.next];
  return sample === undefined ? null : feed.startMs + knownAtMs(sample) / feed.speed;
}

/**
 * Takes the feeds as they stand and returns the samples that are due at `now`, at most `limit` of them, earliest first,
 * and the feeds as they stand afterwards. Every sample is returned once, never early. The feeds that came in stay as
 * they were.
 */
export function takeDue(feeds: readonly Feed[], now: number, limit: number): { due: DueSample[]; feeds: Feed[] } {
  const after = feeds.map((feed) => ({ ...feed }));
  const due: DueSample[] = [];
  while (due.length < limit) {
    let feed: Feed | null = null;
    let dueAt = Infinity;
    for (const candidate of after) {
      const at = nextDueAt(candidate) ?? Infinity;
      if (at < dueAt) {
        feed = candidate;
        dueAt = at;
      }
    }
    const sample = feed?.samples[feed.next];
    if (feed === null || sample === undefined || dueAt > now) {
      break;
    }
    const { kind, value, quality } = sample;
    due.push({
      mrn: feed.mrn,
      kind,
      value,
      quality,
      takenAt: Math.floor(feed.startMs + sample.atMs / feed.speed),
      dueAt,
    });
    step(feed);
  }
  return { due, feeds: after };
}

function step(feed: Feed): void {
  feed.next += 1;
  if (feed.next === feed.samples.length && feed.cycleMs !== null) {
    feed.next = 0;
    feed.startMs += feed.cycleMs / feed.speed;
  }
}

/**
 * The highest speed at which two values of one kind that were taken at different times still carry different times,
 * whole milliseconds as they travel. Faster, the server would take one for a correction of the other.
 */
export function fastestSpeed(samples: readonly RecordedSample[]): number {
  const newest = new Map<string, number>();
  let smallestGapMs = Infinity;
  for (const { kind, atMs } of samples.toSorted((a, b) => a.atMs - b.atMs)) {
    const gap = atMs - (newest.get(kind) ?? -Infinity);
    if (gap > 0) {
      smallestGapMs = Math.min(smallestGapMs, gap);
    }
    newest.set(kind, atMs);
  }
  return smallestGapMs;
}
