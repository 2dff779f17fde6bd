import type { RecordedSample } from './recording';

/** One recording that is sent for one patient. The wall time of a sample is `startMs + offset / speed`. */
export interface Feed {
  mrn: string;
  /** In the order in which they are sent; never empty. */
  samples: readonly RecordedSample[];
  /** The wall time of the recording's time 0 in this pass. */
  startMs: number;
  /** Recording time that passes in one unit of wall time. */
  speed: number;
  /** Recording time from one pass to the next, or null if the recording is played once. */
  cycleMs: number | null;
  /** The index of the sample to send next. */
  next: number;
}

/** A sample that is due; times are those of this machine's clock. */
export interface DueSample extends Pick<RecordedSample, 'kind' | 'value' | 'quality'> {
  mrn: string;
  takenAt: number;
  dueAt: number;
}

/**
 * A moment given on the command line: when the first sample is sent (`start`) or the last one (`end`).
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
 * Returns when a sample can be sent, in recording time: not before it was entered, and not before it was measured. Some
 * rows were stored before the time that they are charted for; a device cannot send those early.
 */
export function knownAtMs(sample: RecordedSample): number {
  return Math.max(sample.atMs, sample.enteredAtMs ?? sample.atMs);
}

/**
 * Returns the feed of a recording, or null if none of its samples is in the window. The passes of a loop are one
 * expected interval apart.
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

/** Returns when the feed's next sample is due, or null if all are sent. */
export function nextDueAt(feed: Feed): number | null {
  const sample = feed.samples[feed.next];
  return sample === undefined ? null : feed.startMs + knownAtMs(sample) / feed.speed;
}

/**
 * Returns the samples that are due at `now`, at most `limit` of them, earliest first, and the feeds after that. Every
 * sample is returned once, never early. The given feeds are not changed.
 */
export function takeDue(feeds: readonly Feed[], now: number, limit: number): { due: DueSample[]; feeds: Feed[] } {
  const after = feeds.map((feed) => ({ ...feed }));
  const due: DueSample[] = [];
  while (due.length < limit) {
    const dueAt = Math.min(...after.map((feed) => nextDueAt(feed) ?? Infinity));
    const feed = after.find((one) => nextDueAt(one) === dueAt);
    const sample = feed?.samples[feed.next];
    if (feed === undefined || sample === undefined || dueAt > now) {
      break;
    }
    const { kind, value, quality } = sample;
    const takenAt = Math.floor(feed.startMs + sample.atMs / feed.speed);
    due.push({ mrn: feed.mrn, kind, value, quality, takenAt, dueAt });
    feed.next += 1;
    if (feed.next === feed.samples.length && feed.cycleMs !== null) {
      feed.next = 0;
      feed.startMs += feed.cycleMs / feed.speed;
    }
  }
  return { due, feeds: after };
}

/**
 * Returns the highest speed at which values of one kind with different times still have different whole milliseconds.
 * Above it the server would take one value for a correction of the other.
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
