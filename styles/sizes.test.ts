import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const sheets = [
  'styles/globals.css',
  ...readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => join('components', file)),
];

/** Declarations of the sizes of letters and of rounded corners; `font` may contain one too. */
const sized = /(?<![\w-])(?:font|font-size|border(?:-\w+)*-radius)\s*:\s*([^;}]+)/g;
/** A circle is a shape, not a size. The wall has its own, which grow with the screen (screens.md section 9). */
const isFromTheme = (value: string): boolean =>
  /^(?:inherit|0|50%)$/.test(value) || /var\(--(?:ant|wl|wall)-/.test(value);

/** Returns the declarations of a style sheet that contain a size as a number. */
function ownSizes(css: string): string[] {
  return [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(sized)]
    .filter(([, value = '']) => !isFromTheme(value.trim()))
    .map(([declaration]) => declaration);
}

describe('the sizes of letters and corners', () => {
  it('are searched in every style sheet', () => {
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
  ])('are found in: %s', (css) => {
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

  it.each(sheets)('are in styles/theme.ts, not in %s', (file) => {
    expect(ownSizes(readFileSync(join(root, file), 'utf8'))).toEqual([]);
  });
});

/** Returns the rules of a style sheet that make a control lower than the control height of 40 px. */
function lowControls(css: string): string[] {
  return (
    [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/[^{}]+\{[^{}]*\}/g)]
      .map(([rule]) => rule)
      // A rule with an accent colour is that of a checkbox.
      .filter((rule) => /cursor:\s*pointer/.test(rule) && !rule.includes('accent-color'))
      .filter((rule) => [...rule.matchAll(/(?<![\w-])(?:min-)?height:\s*(\d+)px/g)].some(([, px]) => Number(px) < 40))
  );
}

describe('the height of controls', () => {
  it.each(['.a { height: 32px; cursor: pointer; }', '.a{cursor:pointer;min-height:28px}'])(
    'is looked at in %s',
    (css) => {
      expect(lowControls(css)).toHaveLength(1);
    },
  );

  it.each(sheets)('is not below 40 px in %s', (file) => {
    expect(lowControls(readFileSync(join(root, file), 'utf8'))).toEqual([]);
  });

  it.each([
    ['the pages of a list', 'components/ui/Pages.module.css', '.place'],
    ['zoom', 'components/vitals/ZoomControl.module.css', '.action'],
    ['the range of the charts', 'components/vitals/RangeControl.module.css', '.range'],
    ['links of the audit log', 'components/admin/admin.module.css', '.plain'],
    ['another try', 'components/ui/AsyncView.module.css', '.again'],
    ['what closes a drawer', 'styles/globals.css', '.ant-drawer.ant-drawer .ant-drawer-close'],
  ])('is that of the theme for %s', (_, file, selector) => {
    const css = readFileSync(join(root, file), 'utf8');
    const rule = css.slice(css.indexOf(`${selector} {`)).split('}')[0];
    expect(rule).toContain('height: var(--ant-control-height)');
  });
});
