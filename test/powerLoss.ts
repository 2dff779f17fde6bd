import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeTestFolder } from './testFolder';

/** Keeps beside a data folder what a power failure would leave of it. */
export interface PowerLoss {
  /** The environment with which the server starts. */
  env: Record<string, string>;
  /** Call it once the server is killed: the data folder then has what was flushed, and nothing else. */
  strike(): void;
  remove(): void;
}

/** Begins with the data folder as it is: every file of it counts as flushed. Needs Linux and a C compiler. */
export function createPowerLoss(dataDir: string): PowerLoss {
  const [kept, built] = [makeTestFolder('kept'), makeTestFolder('built')];
  const library = path.join(built, 'powerLoss.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, path.join(__dirname, 'powerLoss.c'), '-ldl']);
  cpSync(dataDir, kept, { recursive: true });
  return {
    env: { LD_PRELOAD: library, KEPT_FROM: dataDir, KEPT_IN: kept },
    strike: () => {
      for (const name of readdirSync(kept).filter((file) => file.endsWith('.copying'))) {
        rmSync(path.join(kept, name));
      }
      for (const name of readdirSync(dataDir)) {
        rmSync(path.join(dataDir, name), { recursive: true });
      }
      cpSync(kept, dataDir, { recursive: true });
    },
    remove: () => {
      for (const folder of [kept, built]) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
