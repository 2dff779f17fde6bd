import { theme, type ThemeConfig } from 'antd';
import { nightColors, nightTheme } from './nightTheme';
import { dayColors, dayTheme } from './theme';

type Rgb = readonly [number, number, number];

/** Red, green and blue from 0 to 255 of "#rgb", "#rrggbb" or "rgba(…)", blended with the ground. */
function solid(color: string, ground: Rgb | null): Rgb {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1];
  if (hex !== undefined) {
    const part = (index: number): number =>
      Number.parseInt(
        hex.length === 3 ? `${hex[index] ?? ''}${hex[index] ?? ''}` : hex.slice(index * 2, index * 2 + 2),
        16,
      );
    return [part(0), part(1), part(2)];
  }
  const parts = /^rgba\((\d+),(\d+),(\d+),([\d.]+)\)$/.exec(color)?.slice(1).map(Number);
  if (parts === undefined || ground === null) {
    throw new Error(`${color} is no colour that can be measured here`);
  }
  const [red = 0, green = 0, blue = 0, opacity = 0] = parts;
  const mix = (front: number, back: number): number => front * opacity + back * (1 - opacity);
  return [mix(red, ground[0]), mix(green, ground[1]), mix(blue, ground[2])];
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(front: string, back: string): number {
  const ground = solid(back, null);
  const [lighter = 0, darker = 0] = [luminance(solid(front, ground)), luminance(ground)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

type Colors = Readonly<Record<keyof typeof dayColors, string>>;

/** Every colour of text, and every ground below it. */
function pairsOf(config: ThemeConfig, own: Colors) {
  const token = theme.getDesignToken(config);
  const table = config.components?.Table ?? {};
  const read = (value: unknown): string => {
    if (typeof value !== 'string') {
      throw new Error('A colour is missing');
    }
    return value;
  };
  const texts = {
    text: token.colorText,
    secondary: token.colorTextSecondary,
    tertiary: token.colorTextTertiary,
    description: token.colorTextDescription,
    placeholder: token.colorTextPlaceholder,
    link: token.colorLink,
    'link under the pointer': token.colorLinkHover,
    error: token.colorError,
    warning: token.colorWarning,
    success: token.colorSuccess,
    live: own.live,
    withdrawn: own.withdrawn,
  };
  const series = {
    'chart text': own['chart-text'],
    'chart doubt': own['chart-doubt'],
    spo2: own.spo2,
    hr: own.hr,
    pr: own.pr,
  };
  const grounds = {
    'chosen entry': token.colorPrimaryBg,
    'row under the pointer': own['row-hover'],
    'head of a table': read(table.headerBg),
    'sorted head': read(table.headerSortActiveBg),
    'selected row': read(table.rowSelectedBg),
    'selected row under the pointer': read(table.rowSelectedHoverBg),
  };
  const lines = {
    'edge of a control': token.colorBorder,
    'focus ring': token.colorPrimary,
    'outline in a chart': own['chart-outline'],
    'edge of a HIGH alarm': own['alarm-high-edge'],
    'edge of a MEDIUM alarm': own['alarm-medium-edge'],
    'edge of a LOW alarm': own['alarm-low-edge'],
  };
  const plain = {
    page: token.colorBgLayout,
    container: token.colorBgContainer,
    elevated: token.colorBgElevated,
    chrome: own.chrome,
    chart: own['chart-surface'],
  };
  const fills = [
    [
      'text on a primary button',
      config.components?.Button?.primaryColor ?? token.colorTextLightSolid,
      token.colorPrimary,
    ],
    [
      'text on a primary button under the pointer',
      config.components?.Button?.primaryColor ?? token.colorTextLightSolid,
      token.colorPrimaryHover,
    ],
    ['the mark on the logo', own['brand-mark'], own.brand],
    ['text on a HIGH alarm', own['alarm-high-text'], own['alarm-high']],
    ['text on a MEDIUM alarm, and on the banner that it is not live', own['alarm-medium-text'], own['alarm-medium']],
    ['text on a LOW alarm', own['alarm-low-text'], own['alarm-low']],
  ] as const;
  const cross = (fronts: Record<string, string>, backs: Record<string, string>) =>
    Object.entries(fronts).flatMap(([front, color]) =>
      Object.entries(backs).map(([back, ground]) => [`${front} on ${back}`, color, ground] as const),
    );
  return {
    words: [...cross({ ...texts, ...series }, plain), ...cross(texts, grounds), ...fills],
    shapes: cross(lines, plain),
  };
}

describe.each([
  ['day', pairsOf(dayTheme, dayColors)],
  ['night', pairsOf(nightTheme, nightColors)],
])('by %s', (_, { words, shapes }) => {
  it.each(words)('%s can be read: %s on %s is at least 4.5:1', (_name, text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapes)('%s can be seen: %s on %s is at least 3:1', (_name, line, ground) => {
    expect(contrast(line, ground)).toBeGreaterThanOrEqual(3);
  });
});

it('measures as WCAG does', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
