import { maxSamplesPerCall } from '../../lib/vitals/schema';
import { nextDueAt, takeDue, type DueSample, type Feed } from './feed';
import { sendSamples, type Clock, type Door } from './sendSamples';
import { addAnswer, newTotals, progressLine, type Totals } from './totals';

/** Samples of one kind come at most once a second from a bed; at a higher speed several share a call. */
const tickMs = 250;
const progressEveryMs = 10_000;

interface Played {
  totals: Totals;
  /** True when all was played or the signal ended it; false when the server refused a call as a whole. */
  completed: boolean;
}

/**
 * Plays feeds into a server until all is sent, the server refuses the call, or the signal ends it. What could not be
 * sent while the server was away is sent when it is back, in order. `say` gets one line of text at a time.
 */
export async function play(
  feeds: readonly Feed[],
  door: Door,
  clock: Clock,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Played> {
  const totals = newTotals();
  const explained = new Set<string>();
  const startedAt = clock.now();
  let saidAt = startedAt;
  let current = [...feeds];
  for (;;) {
    const { due, feeds: after } = takeDue(current, clock.now(), maxSamplesPerCall);
    current = after;
    if (due.length > 0) {
      const sent = await sendSamples(door, due, clock, signal, (reason, waitMs) => {
        totals.repeated += 1;
        say(`${door.url.origin}: ${reason}; trying again in ${Math.ceil(waitMs / 1_000)} s`);
      });
      if (sent.outcome === 'refused') {
        say(refusalLine(sent));
      }
      if (sent.outcome !== 'answered') {
        return { totals, completed: sent.outcome === 'stopped' };
      }
      newRejections(explained, due, sent.answer.rejected).forEach(say);
      addAnswer(totals, due.length, sent.answer);
    }
    const next = earliest(current);
    if (next === null || signal.aborted) {
      return { totals, completed: true };
    }
    const now = clock.now();
    if (now - saidAt >= progressEveryMs) {
      say(progressLine(totals, now - startedAt));
      saidAt = now;
    }
    if (due.length < maxSamplesPerCall) {
      await clock.sleep(Math.min(Math.max(next - now, tickMs), progressEveryMs), signal);
    }
  }
}

function earliest(feeds: readonly Feed[]): number | null {
  const times = feeds.map(nextDueAt).filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function refusalLine({ status, code, message }: { status: number; code: string; message: string }): string {
  const hint =
    status === 401 || status === 403
      ? ' The device token is not accepted: add a device with `npm run device:add` and set WARDLIGHT_DEVICE_TOKEN.'
      : '';
  return `The server refused the call: ${status} ${code}: ${sentence(message)}${hint}`;
}

/**
 * Explains each patient and each reason once, and remembers it in `explained`: a wrong MRN must not fill the screen.
 */
function newRejections(
  explained: Set<string>,
  due: readonly DueSample[],
  rejected: readonly { index: number; code: string; message: string }[],
): string[] {
  const lines: string[] = [];
  for (const { index, code, message } of rejected) {
    const sample = due[index];
    const subject = code.endsWith('_patient')
      ? `MRN "${sample?.mrn ?? '?'}"`
      : `${sample?.kind ?? '?'} ${sample?.value ?? '?'}`;
    const key = code.endsWith('_patient') ? `${code} ${subject}` : code;
    if (!explained.has(key)) {
      explained.add(key);
      const hint =
        code === 'unknown_patient'
          ? ' Add a patient with this MRN on the page Patients of the device’s site; the replay goes on.'
          : '';
      lines.push(`Rejected: ${subject}: ${code}: ${sentence(message)}${hint}`);
    }
  }
  return lines;
}

function sentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}
