import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayColors } from './theme';

const root = join(__dirname, '..');
const palettes = ['styles/theme.ts', 'styles/nightTheme.ts'];
const sources = ['components', 'hooks', 'lib', 'pages', 'store', 'styles']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter(
    (file) =>
      /\.(css|tsx?)$/.test(file) && !/\.test\.tsx?$|^styles\/generated\//.test(file) && !palettes.includes(file),
  );

const written = /#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\([^v]/gi;
const named = /:[^;{}]*\b(?:white|black|red|green|blue|yellow|cyan|orange|gray|grey|silver|navy|teal)\b(?!-)/g;

function coloursIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...(text.match(written) ?? []), ...(file.endsWith('.css') ? (text.match(named) ?? []) : [])];
}

describe('colours', () => {
  it('are searched in every source', () => {
    expect(sources).toEqual(
      expect.arrayContaining(['styles/globals.css', 'components/ui/Logo.tsx', 'components/layout/AppShell.module.css']),
    );
    expect(palettes.flatMap(coloursIn).length).toBeGreaterThan(30);
  });

  it.each(sources)('are in styles/theme.ts and styles/nightTheme.ts, not in %s', (file) => {
    expect(coloursIn(file)).toEqual([]);
  });

  it.each([
    ['icon', []],
    ['icon-high', [dayColors['alarm-high'], dayColors['alarm-high-text']]],
    ['icon-medium', [dayColors['alarm-medium'], dayColors['alarm-medium-text']]],
  ])('of the file %s.svg are those of the theme by day', (name, more) => {
    const icon = new Set(coloursIn(`public/${name}.svg`));
    expect(icon).toEqual(new Set([dayColors.brand, dayColors['brand-mark'], ...more]));
  });
});
