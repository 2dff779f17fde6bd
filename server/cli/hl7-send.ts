import { helpText } from '../hl7Send/helpText';
import { parseSendOptions, type SendOptions } from '../hl7Send/parseSendOptions';
import { planMessages, readMessages } from '../hl7Send/planMessages';
import { isAllTaken, sendMessages, sendSummary, type SendTarget } from '../hl7Send/sendMessages';
import { readUserFile } from './readUserFile';
import { runSender, type SenderTools } from './runSender';
import { UsageError } from './UsageError';

/** Three attempts: 30 s without an answer. */
const answerTimeoutMs = 10_000;

function targetOf({ host, port, tls }: SendOptions): SendTarget {
  const text = (path: string | null): string | undefined => (path === null ? undefined : readUserFile(path).toString());
  return {
    host,
    port,
    tls: tls === null ? null : { ca: readUserFile(tls.ca).toString(), cert: text(tls.cert), key: text(tls.key) },
  };
}

/** Returns the exit code. */
async function send({ clock, say, stoppable }: SenderTools): Promise<0 | 1> {
  const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const options = parseSendOptions(process.argv.slice(2), ownZone);
  const messages = readMessages(readUserFile(options.path));
  if (messages.length === 0) {
    throw new UsageError(`${options.path} has no HL7 message`);
  }
  const planned = planMessages(messages, options, Date.now());
  const seconds = Math.ceil((planned.at(-1)?.dueMs ?? 0) / 1_000);
  say(`${options.path}: ${messages.length} messages in ${seconds} s to ${options.host}:${options.port}`);
  const totals = await sendMessages(planned, targetOf(options), options, {
    elapsed: () => performance.now(),
    sleep: clock.sleep,
    signal: stoppable(),
    say,
    timeoutMs: answerTimeoutMs,
  });
  sendSummary(totals).forEach(say);
  return isAllTaken(totals) ? 0 : 1;
}

runSender('hl7:send', helpText, send);
