import { theme, type ThemeConfig } from 'antd';
import { baseTheme, sharedTable, sharedTokens, type dayColors } from './theme';

/** Our own colours at night. Alarm fills do not change, because their meaning must not depend on the hour. */
export const nightColors = {
  brand: '#a3b1ff',
  'brand-mark': '#0b1220',
  live: '#5fd0a0',
  withdrawn: '#9aa6ba',
  chrome: '#0e1626',
  'chrome-edge': '#26334a',
  'row-hover': '#152036',
  shadow: 'rgb(0 0 0 / 60%)',
  veil: 'rgb(0 0 0 / 45%)',
  'alarm-high': '#c62828',
  'alarm-high-text': '#ffffff',
  'alarm-high-edge': '#ff5252',
  'alarm-medium': '#ffd600',
  'alarm-medium-text': '#000000',
  'alarm-medium-edge': '#ffd600',
  'alarm-low': '#4dd0e1',
  'alarm-low-text': '#000000',
  'alarm-low-edge': '#4dd0e1',
  spo2: '#56b4e9',
  hr: '#3ddc84',
  pr: '#c3a6ff',
  'chart-text': '#c3ccda',
  'chart-grid': '#1f2b40',
  'chart-hatch': '#3d4b63',
  'chart-doubt': '#9aa6ba',
  'chart-surface': '#0b1220',
  'chart-outline': '#66738a',
} as const satisfies Record<keyof typeof dayColors, string>;

/**
 * The theme at night, on the page colour whose contrasts clinical.md section 8 gives. No page imports it:
 * scripts/antd-css.mjs writes the variables that differ from the day's under [data-theme=dark].
 */
export const nightTheme: ThemeConfig = {
  ...baseTheme,
  algorithm: theme.darkAlgorithm,
  token: {
    ...sharedTokens,
    colorPrimary: nightColors.brand,
    colorInfo: nightColors.brand,
    colorPrimaryBg: '#1c2b4d',
    colorLink: '#c8d2ff',
    colorLinkHover: '#e2e7ff',
    colorLinkActive: '#e2e7ff',
    colorError: '#ff9a91',
    colorWarning: '#e0b45c',
    colorSuccess: '#5fd0a0',
    colorBgBase: '#0b1220',
    colorBgLayout: '#0b1220',
    colorBgContainer: '#111a2b',
    colorBgElevated: '#172236',
    colorTextBase: '#e6ebf4',
    colorTextPlaceholder: '#9aa6ba',
    colorTextDescription: '#aab5c8',
    colorTextSecondary: '#c3ccda',
    colorTextTertiary: '#9aa6ba',
    colorTextLightSolid: '#0b1220',
    colorBorder: '#66738a',
    colorBorderSecondary: '#26334a',
  },
  components: {
    Button: { primaryColor: '#0b1220' },
    Table: {
      ...sharedTable,
      headerBg: '#172236',
      headerSortActiveBg: '#1f2c44',
      headerSortHoverBg: '#1f2c44',
      bodySortBg: '#111a2b',
      rowHoverBg: nightColors['row-hover'],
      rowSelectedBg: '#1c2b4d',
      rowSelectedHoverBg: '#1f2f54',
    },
  },
};
