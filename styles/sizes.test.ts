import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const sheets = [
  'styles/globals.css',
  ...readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => join('components', file)),
];

/** Declarations of the sizes of letters and of rounded corners; `font` can hold one too. */
const sized = /(?<![\w-])(?:font|font-size|border(?:-\w+)*-radius)\s*:\s*([^;}]+)/g;
/** A circle is a form and no size. */
const isFromTheme = (value: string): boolean => /^(?:inherit|0|50%)$/.test(value) || /var\(--(?:ant|wl)-/.test(value);

/** The declarations of a style sheet that say a size in figures of their own. */
function ownSizes(css: string): string[] {
  return [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(sized)]
    .filter(([, value = '']) => !isFromTheme(value.trim()))
    .map(([declaration]) => declaration);
}

describe('the sizes of letters and corners', () => {
  it('are looked for in every style sheet', () => {
    expect(sheets).toEqual(
      expect.arrayContaining(['components/ui/VitalValue.module.css', 'components/vitals/RangeControl.module.css']),
    );
    expect(sheets.length).toBeGreaterThan(20);
  });

  it.each([
    '.a { font-size: 12px; }',
    '.a{font-size:1.2em}',
    '.a { font: 600 14px / 1.5 sans-serif; }',
    '.a { border-radius: 6px; }',
    '.a { border-start-end-radius: 40%; }',
  ])('are found where they are written: %s', (css) => {
    expect(ownSizes(css)).toHaveLength(1);
  });

  it.each([
    '.a { font: inherit; font-size: var(--ant-font-size-sm); }',
    '.a { border-radius: 50%; }',
    '.a { border-radius: 0; border-end-end-radius: calc(var(--ant-border-radius) - 1px); }',
    '.a { /* font-size: 12px; */ font-weight: 600; border: 1px solid; }',
  ])('may come from the theme: %s', (css) => {
    expect(ownSizes(css)).toEqual([]);
  });

  it.each(sheets)('stand in styles/theme.ts, not in %s', (file) => {
    expect(ownSizes(readFileSync(join(root, file), 'utf8'))).toEqual([]);
  });
});
