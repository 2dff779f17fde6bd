import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { helpText } from '../hl7Send/helpText';
import { parseSendOptions, type SendOptions } from '../hl7Send/parseSendOptions';
import { planMessages, readMessages } from '../hl7Send/planMessages';
import { isAllTaken, sendMessages, sendSummary, type SendTarget } from '../hl7Send/sendMessages';
import { UsageError } from '../replay/parseReplayOptions';
import type { Clock } from '../replay/sendSamples';

const answerTimeoutMs = 10_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const clock: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => {
    try {
      await wait(ms, undefined, { signal });
    } catch {
      // The signal ended the wait; the caller checks it next.
    }
  },
};

/** Throws UsageError if the file cannot be read. npm starts commands elsewhere; INIT_CWD is the user's folder. */
function readFile(path: string): Buffer {
  try {
    return readFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), path));
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? String(failure.code) : String(failure);
    throw new UsageError(`${path} cannot be read (${code})`);
  }
}

function targetOf({ host, port, tls }: SendOptions): SendTarget {
  const text = (path: string | null): string | undefined => (path === null ? undefined : readFile(path).toString());
  return {
    host,
    port,
    tls: tls === null ? null : { ca: readFile(tls.ca).toString(), cert: text(tls.cert), key: text(tls.key) },
  };
}

/** Returns the exit code. */
async function send(): Promise<0 | 1> {
  const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const options = parseSendOptions(process.argv.slice(2), ownZone);
  if (options === 'help') {
    process.stdout.write(helpText);
    return 0;
  }
  const messages = readMessages(readFile(options.path));
  if (messages.length === 0) {
    throw new UsageError(`${options.path} has no HL7 message`);
  }
  const planned = planMessages(messages, options, Date.now());
  const seconds = Math.ceil((planned.at(-1)?.dueMs ?? 0) / 1_000);
  say(`${options.path}: ${messages.length} messages in ${seconds} s to ${options.host}:${options.port}`);
  const target = targetOf(options);
  if (options.isCheck) {
    return 0;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const totals = await sendMessages(planned, target, options, {
    clock,
    signal: stop.signal,
    say,
    timeoutMs: answerTimeoutMs,
  });
  sendSummary(totals).forEach(say);
  return isAllTaken(totals) ? 0 : 1;
}

send().then(
  (code) => {
    process.exitCode = code;
  },
  (failure: unknown) => {
    process.stderr.write(
      failure instanceof UsageError ? `${failure.message}\nSee npm run hl7:send -- --help\n` : `${String(failure)}\n`,
    );
    process.exitCode = failure instanceof UsageError ? 2 : 1;
  },
);
