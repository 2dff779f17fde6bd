import { rmSync } from 'node:fs';
import pino from 'pino';
import { createApp } from '../server/app';
import { createClock } from '../server/clock/clock';
import { openStore } from '../server/db/open';
import { parseEnv } from '../server/env';
import { fillWard } from './fillWard';
import { newFolder } from './ingestProcess';
import { atMost, median } from './lines';

const rounds = 5;
const minuteMs = 60_000;
/** Seconds of stored samples; the rules read the last two minutes. */
const sampleSeconds = 300;

/** The time in which a start reads back its in-memory state: 250 patients with a day of minutes of two kinds. */
export async function benchStart(): Promise<void> {
  const folder = newFolder();
  const parsed = parseEnv({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const now = Math.floor(Date.now() / minuteMs) * minuteMs;
  const start = async (): Promise<number> => {
    const store = await openStore(parsed.env);
    const begun = performance.now();
    const { app } = await createApp({
      env: parsed.env,
      store,
      log: pino({ level: 'warn' }),
      clock: createClock({ wall: () => now, monotonic: () => now }),
    });
    const ms = performance.now() - begun;
    await app.close();
    await store.close();
    return ms;
  };
  try {
    const store = await openStore(parsed.env);
    await fillWard(store, now, { patients: 250, minutes: 1_440, seconds: sampleSeconds });
    await store.close();
    const setRules = async (at: number | null): Promise<void> => {
      const again = await openStore(parsed.env);
      await again.db.updateTable('sites').set({ intended_use_accepted_at: at }).execute();
      await again.close();
    };
    const measured: { on: number[]; off: number[] } = { on: [], off: [] };
    await start();
    for (let round = 0; round < rounds; round += 1) {
      await setRules(null);
      measured.off.push(await start());
      await setRules(0);
      measured.on.push(await start());
    }
    process.stdout.write(`start without rules: ${(median(measured.off) / 1_000).toFixed(2)} s\n`);
    atMost(
      'a start with 250 patients and a day of minutes, until it can respond (median of rounds)',
      [median(measured.on) / 1_000],
      2,
      's',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
