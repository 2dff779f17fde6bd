import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../replay/sendSamples';
import { runCommand } from './runCommand';

/** What a command that sends recordings gets. */
export interface SenderTools {
  clock: Clock;
  say: (line: string) => void;
  /** Returns a signal that ends when the command is to end. From its call on the user can stop it by Ctrl+C. */
  stoppable: () => AbortSignal;
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function stoppable(): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  return stop.signal;
}

/** Runs a command that sends recordings, as `runCommand` does. */
export function runSender(name: string, help: string, send: (tools: SenderTools) => Promise<0 | 1>): void {
  runCommand(name, help, () => send({ clock, say, stoppable }));
}
