import type { ThemeConfig } from 'antd';

/** The class of every antd variable; the static style sheets are built for this name. */
const variableKey = 'wardlight';

/**
 * What day and night share. Red, yellow and cyan fills are reserved for alarms (clinical.md section 8): the brand is a
 * calm indigo, an error is dark red text, success is never a filled patch.
 */
export const sharedTokens = {
  fontFamily: "'Open Sans', system-ui, sans-serif",
  fontSize: 14,
  controlHeight: 40,
  borderRadius: 6,
  wireframe: false,
  // Lists and drawers open without animation.
  motion: false,
} as const;

/**
 * Sizes of our own, beside antd's (`--ant-font-size-sm` 12, `--ant-font-size` 14, `-lg` 16, `-xl` 20,
 * `--ant-control-height` 40).
 */
export const sizes = {
  'font-size-print': '10px',
  'font-size-title': '18px',
  'font-size-tile': '28px',
  'font-size-display': '32px',
  // A vital sign's number.
  'font-size-vital': '18px',
  // A patient's own phone: in rem, so that letters follow the size that the phone is set to.
  'font-size-phone-sm': '1rem',
  'font-size-phone': '1.125rem',
  'font-size-phone-lg': '1.25rem',
  'font-size-phone-xl': '1.375rem',
  'font-size-phone-title': '1.5rem',
  'radius-card': '12px',
  'header-height': '56px',
  'sidebar-folded': '57px',
  'sidebar-open': '200px',
  // Of banners and header, which no drawer or dialog covers; the shell measures them (components/layout/Banners.tsx).
  'banners-height': '0px',
} as const;

/**
 * Our own colours by day; each is the CSS variable `--wl-…` (scripts/antd-css.mjs). Measured contrasts of series and
 * alarm fills, and the reason for each: clinical.md section 8; styles/styles.test.tsx measures all of them again.
 */
export const dayColors = {
  brand: '#3f51a5',
  'brand-mark': '#ffffff',
  live: '#1b6e4a',
  withdrawn: '#5d6778',
  chrome: '#ffffff',
  'chrome-edge': '#dfe3ea',
  'row-hover': '#f7f8fb',
  shadow: 'rgb(16 24 40 / 18%)',
  veil: 'rgb(16 24 40 / 25%)',
  'alarm-high': '#c62828',
  'alarm-high-text': '#ffffff',
  'alarm-high-edge': '#c62828',
  'alarm-medium': '#ffd600',
  'alarm-medium-text': '#000000',
  'alarm-medium-edge': '#7a6500',
  'alarm-low': '#4dd0e1',
  'alarm-low-text': '#000000',
  'alarm-low-edge': '#00707f',
  spo2: '#0072b2',
  hr: '#007a5a',
  pr: '#6941a5',
  'chart-text': '#3b4454',
  'chart-grid': '#e4e8ee',
  'chart-hatch': '#aeb7c5',
  'chart-doubt': '#5d6778',
  'chart-surface': '#ffffff',
  'chart-outline': '#7d879a',
  // How severe a symptom is, from absent to severe, each with its text (clinical.md section 6). Grey: no alarm.
  'severity-0': '#f0f2f6',
  'severity-0-text': '#101828',
  'severity-1': '#cfd5df',
  'severity-1-text': '#101828',
  'severity-2': '#8d97a8',
  'severity-2-text': '#101828',
  'severity-3': '#2b3342',
  'severity-3-text': '#ffffff',
} as const;

export const sharedTable = { cellPaddingBlock: 9, cellPaddingInline: 10 } as const;

export const baseTheme = {
  hashed: false,
  cssVar: { key: variableKey },
  zeroRuntime: true,
} as const satisfies ThemeConfig;

/** The theme of the one ConfigProvider. The night is made in CSS alone (nightTheme.ts). */
export const dayTheme: ThemeConfig = {
  ...baseTheme,
  token: {
    ...sharedTokens,
    colorPrimary: dayColors.brand,
    colorInfo: dayColors.brand,
    colorPrimaryBg: '#e8ecfa',
    colorLink: '#33449a',
    colorLinkHover: '#26347a',
    colorLinkActive: '#26347a',
    colorError: '#b3261e',
    colorWarning: '#8a5a00',
    colorSuccess: '#1b6e4a',
    colorBgLayout: '#f3f5f8',
    colorBgContainer: '#ffffff',
    colorTextBase: '#101828',
    colorTextPlaceholder: '#5d6778',
    colorTextDescription: '#4b5565',
    colorTextSecondary: '#3b4454',
    colorTextTertiary: '#5d6778',
    colorBorder: '#7d879a',
    colorBorderSecondary: '#dfe3ea',
  },
  components: {
    Table: {
      ...sharedTable,
      headerBg: '#eef1f5',
      headerSortActiveBg: '#e3e8ef',
      headerSortHoverBg: '#e3e8ef',
      bodySortBg: '#ffffff',
      rowHoverBg: dayColors['row-hover'],
      rowSelectedBg: '#e8ecfa',
      rowSelectedHoverBg: '#dfe5f8',
    },
  },
};

/** Components on the first paint of a page; their rules block it, so the list stays short (40 kB gzip). */
export const firstPaintComponents = ['Button'] as const;

/** Components that no page imports: our own elements use their classes, on the first paint too. */
export const borrowedComponents = ['Input', 'Skeleton', 'Table'] as const;

/** Components that open after the first paint; their rules load after the page. */
export const laterComponents = [
  'AutoComplete',
  'Checkbox',
  'DatePicker',
  'Drawer',
  'Dropdown',
  'Form',
  'Input',
  'InputNumber',
  'Modal',
  'Popconfirm',
  'Progress',
  'QRCode',
  'Segmented',
  'Select',
  'Upload',
  // Parts of these: a form's rows, and what a select shows when nothing matches.
  'Row',
  'Empty',
] as const;
