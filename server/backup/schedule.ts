import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { backupState } from './state';

const dayMs = 24 * 3_600_000;

/** Takes the daily backup when it is due; to be asked now and then. */
export interface BackupSchedule {
  tick(): Promise<void>;
  /** Gives up a backup that is being taken. */
  stop(): void;
}

/** What is needed of the process that takes a backup. */
interface BackupProcess {
  stderr: Readable | null;
  once(event: 'close' | 'error', heard: (code: unknown) => void): unknown;
  kill(): boolean;
}

/**
 * A backup is due a day after the last good one. `start` takes one in a process of its own, because copying and
 * checking would hold up everything else in this one.
 */
export function createBackupSchedule(
  { dataDir, log, now }: { dataDir: string; log: Logger; now: () => number },
  start: () => BackupProcess = startBackup,
): BackupSchedule {
  let running: BackupProcess | null = null;
  return {
    tick: async () => {
      const { takenAt } = await backupState(dataDir, now());
      if (running !== null || (takenAt !== null && now() - takenAt < dayMs)) {
        return;
      }
      const child = start();
      running = child;
      const outcome = await ended(child);
      running = null;
      if (outcome.code === 0) {
        log.info('backup taken');
      } else {
        log.error(outcome, 'the backup failed; it is tried again in half an hour');
      }
    },
    stop: () => {
      running?.kill();
    },
  };
}

/**
 * The same command that an operator has, with the environment of this process, and behind it when both want the
 * processor.
 */
function startBackup(): BackupProcess {
  const child = spawn(process.execPath, [path.join('scripts', 'command.mjs'), 'backup'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid !== undefined) {
    setPriority(child.pid, 10);
  }
  return child;
}

/** How a process ended, with the last line of what it complained about. */
async function ended(child: BackupProcess): Promise<{ code: number | null; reason: string }> {
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: unknown) => {
    complaint = (complaint + String(text)).slice(-1_000);
  });
  return await new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code: typeof code === 'number' ? code : null, reason: complaint.trimEnd().split('\n').at(-1) ?? '' });
    });
    child.once('error', () => {
      resolve({ code: null, reason: 'the command could not be started' });
    });
  });
}
