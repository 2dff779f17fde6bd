import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTestFolder } from '../../test/testFolder';
import { makeDataDir } from './makeDataDir';

describe('the folder of the data', () => {
  const folder = makeTestFolder('data-dir');

  it.each([
    ['takes no folders', '/proc/wardlight'],
    ['takes none on the way to it', '/proc/wardlight/data'],
    ['is a file', path.join(folder, 'file')],
    ['is below a file', path.join(folder, 'file', 'data')],
  ])('is refused by its name where the place %s', (_, dataDir) => {
    writeFileSync(path.join(folder, 'file'), '');
    expect(() => {
      makeDataDir(dataDir);
    }).toThrow(`DATA_DIR names ${dataDir}, which is no folder that can be written to`);
  });

  it('is made for its owner alone, with those above it, and once', () => {
    const dataDir = path.join(folder, 'a', 'b');
    makeDataDir(dataDir);
    makeDataDir(dataDir);
    expect(existsSync(dataDir)).toBe(true);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });
});
