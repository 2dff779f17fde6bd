import { maxSamplesPerCall } from '../../lib/vitals/schema';
import { nextDueAt, takeDue, type DueSample, type Feed } from './feed';
import { sendSamples, type Clock, type Target } from './sendSamples';
import { addResponse, newTotals, progressLine, type Totals } from './totals';

/** Samples of one kind come at most once a second from a bed; at a higher speed several share a call. */
const tickMs = 250;
const progressEveryMs = 10_000;

interface Played {
  totals: Totals;
  /** True if all was played or the signal aborted; false if the server rejected a whole call. */
  completed: boolean;
}

/**
 * Sends feeds to a server until all is sent, the server rejects a call, or the signal aborts. What could not be sent
 * while the server was down is sent in order when it is back. `say` gets one line of text at a time.
 */
export async function play(
  feeds: readonly Feed[],
  target: Target,
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
      const sent = await sendSamples(target, due, clock, signal, (reason, waitMs) => {
        totals.repeated += 1;
        say(`${target.url.origin}: ${reason}; trying again in ${Math.ceil(waitMs / 1_000)} s`);
      });
      if (sent.outcome === 'refused') {
        say(rejectionLine(sent));
      }
      if (sent.outcome !== 'answered') {
        return { totals, completed: sent.outcome === 'stopped' };
      }
      newRejections(explained, due, sent.response.rejected).forEach(say);
      addResponse(totals, due.length, sent.response);
    }
    const next = Math.min(...current.map((feed) => nextDueAt(feed) ?? Infinity));
    if (next === Infinity || signal.aborted) {
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

function rejectionLine({ status, code, message }: { status: number; code: string; message: string }): string {
  const hint =
    status === 401 || status === 403
      ? ' The device token is not accepted: add a device with `npm run device:add` and set WARDLIGHT_DEVICE_TOKEN.'
      : '';
  return `The server refused the call: ${status} ${code}: ${sentence(message)}${hint}`;
}

/** Returns lines that explain each patient and each reason once: a wrong MRN must not fill the screen. */
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
