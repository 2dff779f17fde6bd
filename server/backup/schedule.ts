import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Env } from '../env';
import { backupState } from './state';

const dayMs = 24 * 3_600_000;

/** Takes the daily backup. */
export interface BackupSchedule {
  /** Takes a backup if one is due. Call it every few minutes. */
  tick(): Promise<void>;
  /** Ends a backup that is being taken. */
  stop(): void;
}

/** The parts of a child process that the schedule uses. */
interface BackupProcess {
  stderr: Readable | null;
  once(event: 'close' | 'error', listener: (code: unknown) => void): unknown;
  kill(): boolean;
}

/**
 * Creates the schedule: a backup is due a day after the last good one. `start` takes it in another process, because
 * copying and checking would block this one.
 */
export function createBackupSchedule(
  { env, log, now }: { env: Pick<Env, 'dataDir' | 'backupKeyFile'>; log: Logger; now: () => EpochMs },
  start: () => BackupProcess = startBackup,
): BackupSchedule {
  let running: BackupProcess | null = null;
  let isWarned = env.backupKeyFile !== null;
  return {
    tick: async () => {
      const { takenAt } = await backupState(env.dataDir, now());
      if (running !== null || (takenAt !== null && now() - takenAt < dayMs)) {
        return;
      }
      if (!isWarned) {
        isWarned = true;
        log.warn('backups are not encrypted: set BACKUP_KEY_FILE, or keep them only on encrypted disks');
      }
      const child = start();
      running = child;
      const outcome = await endOf(child);
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

/** Starts the operator's command with the environment of this process, at a lower priority than this process. */
function startBackup(): BackupProcess {
  const child = spawn(process.execPath, [path.join('scripts', 'command.mjs'), 'backup'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid !== undefined) {
    setPriority(child.pid, 10);
  }
  return child;
}

/** Waits for a process to end. Returns its exit code and the last line of its error output. */
async function endOf(child: BackupProcess): Promise<{ code: number | null; reason: string }> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: unknown) => {
    output = (output + String(text)).slice(-1_000);
  });
  return await new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code: typeof code === 'number' ? code : null, reason: output.trimEnd().split('\n').at(-1) ?? '' });
    });
    child.once('error', () => {
      resolve({ code: null, reason: 'the command could not be started' });
    });
  });
}
