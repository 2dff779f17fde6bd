import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

describe('the code that keeps a page’s errors until they are sent', () => {
  it('is less than a kilobyte of the first load', () => {
    const { code } = transformSync(readFileSync(join(__dirname, 'pageErrors.ts'), 'utf8'), {
      loader: 'ts',
      minify: true,
      format: 'esm',
    });
    expect(Buffer.byteLength(code)).toBeLessThan(1_000);
    // It imports nothing.
    expect(code).not.toMatch(/\bimport\b/);
  });
});
