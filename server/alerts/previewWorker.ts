import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { openStoreForCommand } from '../db/open';
import { computePreview } from './computePreview';
import { previewTask } from './previewTask';

/** Computes a preview outside the thread that serves. What it throws ends this thread and reaches that one. */
async function answer(message: unknown): Promise<void> {
  const task = previewTask.parse(message);
  const db = await openStoreForCommand(task.store);
  try {
    parentPort?.postMessage(await computePreview(db, task));
  } finally {
    await db.destroy();
  }
}

// The thread that serves goes first. Only on Linux is this the priority of the thread and not of the process.
if (process.platform === 'linux') {
  setPriority(10);
}
parentPort?.on('message', (message: unknown) => void answer(message));
