import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { act, render } from '@testing-library/react';
import {
  AutoComplete,
  Button,
  Checkbox,
  ConfigProvider,
  DatePicker,
  Drawer,
  Dropdown,
  Form,
  Input,
  InputNumber,
  Modal,
  Popconfirm,
  Progress,
  QRCode,
  Segmented,
  Select,
  theme,
  type ThemeConfig,
  Upload,
} from 'antd';
import dayjs from 'dayjs';
import type { ReactElement } from 'react';
import { nightColors, nightTheme } from './nightTheme';
import { dayColors, dayTheme, firstPaintComponents, laterComponents, sharedTokens } from './theme';

describe('colours', () => {
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

  it('are searched in every source', () => {
    expect(sources).toEqual(
      expect.arrayContaining(['styles/globals.css', 'components/ui/Logo.tsx', 'components/layout/AppShell.module.css']),
    );
    expect(palettes.flatMap(coloursIn).length).toBeGreaterThan(30);
  });

  it('are in styles/theme.ts and styles/nightTheme.ts, and in no other source', () => {
    expect(sources.flatMap((file) => coloursIn(file).map((found) => [file, found]))).toEqual([]);
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

describe('contrast', () => {
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
});

describe('sizes', () => {
  const root = join(__dirname, '..');
  const sheets = [
    'styles/globals.css',
    ...readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.module.css'))
      .map((file) => join('components', file)),
  ];

  const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

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

    it('are in styles/theme.ts, and in no style sheet', () => {
      expect(sheets.flatMap((file) => ownSizes(textOf(file)).map((found) => [file, found]))).toEqual([]);
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

    it('is not below 40 px in any style sheet', () => {
      expect(sheets.flatMap((file) => lowControls(textOf(file)).map((found) => [file, found]))).toEqual([]);
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
});

describe('theme', () => {
  const root = join(__dirname, '..');
  const sources = ['components', 'pages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );

  /** Returns the components that a file imports from antd; types and the provider have no rules of their own. */
  function antdImports(file: string): string[] {
    const named = /import \{([^}]*)\} from 'antd'/.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? '';
    return named
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ') && name !== 'ConfigProvider');
  }

  const imported = new Set(sources.flatMap(antdImports));
  const listed: readonly string[] = [...firstPaintComponents, ...laterComponents];

  describe('the style sheets made from antd', () => {
    it('reads the sources', () => {
      expect(imported.size).toBeGreaterThan(2);
    });

    it.each([...imported])('contain the rules of %s', (name) => {
      expect(listed).toContain(name);
    });

    it('contain each rule once', () => {
      expect(new Set(listed).size).toBe(listed.length);
    });
  });

  it('the letters and controls have the font and sizes of the product specification', () => {
    expect(sharedTokens.fontFamily).toMatch(/^'Open Sans',/);
    expect([sharedTokens.fontSize, sharedTokens.controlHeight]).toEqual([14, 40]);
  });

  describe('reduced motion', () => {
    it('has no transition, in which antd would measure the old place of a list that opens', () => {
      const css = readFileSync(join(root, 'styles/globals.css'), 'utf8');
      const [, rules] = /@media \(prefers-reduced-motion: reduce\) \{([\s\S]*?)\n\}/.exec(css) ?? [];
      expect(rules).toContain('transition: none !important');
    });
  });
});

describe('usedClasses', () => {
  const root = join(__dirname, '..');

  /** Each component that a screen imports from antd, in every form in which a screen shows it. */
  const samples: Record<string, ReactElement> = {
    AutoComplete: <AutoComplete open options={[{ value: 'One' }]} />,
    Button: (
      <>
        <Button>Plain</Button>
        <Button type="primary" disabled>
          First
        </Button>
        <Button type="text">Quiet</Button>
        <Button icon={<i />}>With a picture</Button>
        <Button loading>Waiting</Button>
      </>
    ),
    Checkbox: (
      <>
        <Checkbox checked>Yes</Checkbox>
        <Checkbox.Group options={[{ value: 1, label: 'One' }]} value={[1]} />
      </>
    ),
    DatePicker: (
      <>
        <DatePicker open placeholder="" format={['DD MMM YYYY', 'YYYY-MM-DD']} />
        <DatePicker value={dayjs('2026-03-07')} />
      </>
    ),
    Drawer: (
      <Drawer title="Title" size={480} open mask={{ closable: false }}>
        Content
      </Drawer>
    ),
    Dropdown: (
      <Dropdown
        open
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            { key: 'a', label: 'One' },
            { key: 'b', label: 'Last', danger: true },
          ],
        }}
      >
        <Button>Press</Button>
      </Dropdown>
    ),
    Form: (
      <Form layout="vertical" requiredMark>
        <Form.Item label="Right" extra="Hint" required>
          <Input />
        </Form.Item>
        <Form.Item label="Wrong" help="Wrong is empty" validateStatus="error">
          <Input />
        </Form.Item>
      </Form>
    ),
    Input: (
      <>
        <Input />
        <Input status="error" />
      </>
    ),
    InputNumber: (
      <>
        <InputNumber value={88} />
        <InputNumber status="error" />
      </>
    ),
    Modal: (
      <Modal open title="Title" width={400} closable={false} okText="Yes" cancelText="No">
        Question
      </Modal>
    ),
    Progress: <Progress percent={40} />,
    QRCode: <QRCode value="https://ward.example.org" type="svg" />,
    Popconfirm: (
      <Popconfirm open title="Question" icon={null} okText="Yes" cancelText="No" okButtonProps={{ size: 'middle' }}>
        <Button>Press</Button>
      </Popconfirm>
    ),
    Segmented: (
      <Segmented
        value={15}
        options={[
          { value: 15, label: '15 min' },
          { value: 30, label: '30 min' },
        ]}
      />
    ),
    Select: (
      <>
        <Select open showSearch placeholder="Choose" options={[{ value: 1, label: 'One' }]} />
        <Select open value={1} options={[{ value: 1, label: 'One' }]} />
        <Select status="error" value={1} options={[{ value: 1, label: 'One' }]} />
        <Select open options={[]} />
      </>
    ),
    Upload: (
      <>
        <Upload showUploadList={false}>
          <Button>Choose</Button>
        </Upload>
        <Upload showUploadList={false} disabled>
          <Button disabled>Choose</Button>
        </Upload>
      </>
    ),
  };

  /**
   * Classes by which antd names a part or a state and for which its own style sheets have no rule; and the column of a
   * grid, which no form divides.
   */
  const bare = new RegExp(
    `^ant-(${[
      ...['wave-target', 'btn-(default|text)', 'drawer-open', 'col', 'form-vertical', 'form-item-has-error'],
      ...['zoom(-big)?', 'slide-up', 'popover-(open|css-var|arrow-content)', 'popconfirm-(inner-content|message-text)'],
      'picker-(date-panel-container|header-(super-)?(prev|next)-btn|(month|year)-btn|now(-btn)?)',
      'checkbox-(wrapper-checked|label|group-item)',
      'select-dropdown-(empty|list(-holder(-inner)?)?)',
      'dropdown-(open|menu-(root|light|css-var|item-only-child))',
      'progress-(line-align-end|line-position-outer|show-info|status-normal)',
    ].join('|')})$`,
  );

  /** Variables that antd sets on the element itself. */
  const givenByElement = /^--ant-modal-\w+-width$/;

  const imported = new Set(
    ['components', 'pages']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
      )
      .filter((file) => /(?<!\.test)\.tsx$/.test(file))
      .flatMap((file) => (/import \{([^}]*)\} from 'antd'/.exec(readFileSync(file, 'utf8'))?.[1] ?? '').split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ') && name !== 'ConfigProvider'),
  );

  let css = '';
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'wardlight-css-'));
    try {
      execFileSync(process.execPath, ['scripts/antd-css.mjs', folder], { cwd: root });
      css = ['first.css', 'later.css'].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  function withoutRule(classes: Iterable<string>): string[] {
    return [...new Set(classes)].filter((name) => !bare.test(name) && !new RegExp(`\\.${name}(?![\\w-])`).test(css));
  }

  describe('the style sheets made from antd', () => {
    it('are checked for every component that a screen imports', () => {
      expect(imported.size).toBeGreaterThan(0);
      expect([...imported].filter((name) => !(name in samples))).toEqual([]);
    });

    it.each(Object.entries(samples).filter(([name]) => imported.has(name)))(
      'have a rule for every class that %s wears',
      async (_, sample) => {
        const { baseElement } = render(<ConfigProvider theme={dayTheme}>{sample}</ConfigProvider>);
        // What is open takes its place a moment after it was drawn.
        await act(() => new Promise((resolve) => setTimeout(resolve)));
        const worn = [...baseElement.querySelectorAll('[class*="ant-"]')].flatMap((element) => [...element.classList]);
        const ours = worn.filter((name) => name.startsWith('ant-'));
        expect(ours.length).toBeGreaterThan(0);
        expect(withoutRule(ours)).toEqual([]);
      },
    );

    it('have a rule for every class of antd that our own elements use', () => {
      const files = readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' }).filter((file) =>
        /(?<!\.test)\.tsx$/.test(file),
      );
      const worn = files.flatMap(
        (file) => readFileSync(join(root, 'components', file), 'utf8').match(/(?<!@|--)\bant-[a-z-]+[a-z]/g) ?? [],
      );
      expect(worn).toContain('ant-input');
      expect(withoutRule(worn)).toEqual([]);
    });

    it('set every variable that a rule reads, antd’s or our own', () => {
      const files = ['components', 'styles'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => /(?<!\.test)\.(css|tsx?)$/.test(file) && !file.startsWith('generated'))
          .map((file) => readFileSync(join(root, folder, file), 'utf8')),
      );
      // A variable with a fallback value may be missing.
      const read = [css, ...files].flatMap((text) =>
        [...text.matchAll(/var\((--(?:ant|wl)-[\w-]+)\)/g)].map(([, name = '']) => name),
      );
      const given = new Set(
        [css, ...files].flatMap((text) => [...text.matchAll(/(--(?:ant|wl)-[\w-]+)'?:/g)].map(([, name = '']) => name)),
      );
      expect(read).toContain('--ant-color-primary');
      expect([...new Set(read)].filter((name) => !given.has(name) && !givenByElement.test(name))).toEqual([]);
    });

    it('state the palette once, at the root, by day and by night', () => {
      expect(css.match(/(?<=[\n{}])[^\n{}]*(?=\{--ant-color-primary:)/g)).toEqual([':root', ':root[data-theme=dark]']);
    });
  });
});
