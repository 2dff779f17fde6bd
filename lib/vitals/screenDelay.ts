/** A newer value that took an older one's place on the screen, in the server's time (epoch milliseconds). */
export interface Arrival {
  receivedAt: number;
  paintedAt: number;
}

/** Arrivals of one answer of the server, of which the newest value counts. */
export interface ArrivedAnswer extends Arrival {
  /** When its first value was painted. */
  since: number;
}

/** What is painted within this time came with one answer: a long list is drawn in turns, and answers are 2 s apart. */
const oneAnswerMs = 1_000;
const remembered = 9;
/** A value that reached the server so long after it was taken was held up on the way there: a back-fill. */
const backfillMs = 60_000;

/**
 * Whether it says something of the way from the server to the screen that `next` took the place of `before`: it reached
 * the server later, and soon after it was taken. All are epoch milliseconds.
 */
export function isArrival(before: { receivedAt: number }, next: { receivedAt: number; asOf: number }): boolean {
  return next.receivedAt > before.receivedAt && next.receivedAt - next.asOf <= backfillMs;
}

/** Takes in an arrival and returns the last nine answers that brought some, oldest first. */
export function takeArrival(
  answers: readonly ArrivedAnswer[],
  { receivedAt, paintedAt }: Arrival,
): readonly ArrivedAnswer[] {
  const last = answers.at(-1);
  if (last === undefined || paintedAt - last.since >= oneAnswerMs) {
    return [...answers, { receivedAt, paintedAt, since: paintedAt }].slice(-remembered);
  }
  // Of values that came in together the one that is painted last counts.
  return receivedAt < last.receivedAt
    ? answers
    : [...answers.slice(0, -1), { receivedAt, paintedAt, since: last.since }];
}

/**
 * How long values take from the server to the screen, in milliseconds: the median of the answers, so that one that was
 * held up says nothing; null before the first. Never negative, although the page's clock is an estimate.
 */
export function screenDelay(answers: readonly Arrival[]): number | null {
  const sorted = answers.map(({ receivedAt, paintedAt }) => Math.max(0, paintedAt - receivedAt)).sort((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? null : Math.round((lower + upper) / 2);
}
