import { StyleProvider } from '@ant-design/cssinjs';
import { ConfigProvider } from 'antd';
import { useEffect, type ReactNode } from 'react';
import { dayTheme } from '../../styles/theme';
import { loadLaterStyles } from './loadLaterStyles';

/**
 * An element outside the document, into which antd writes the rules that it makes in the browser.
 * styles/generated/first.css has them, without unused variables and with those of the night. In the page antd's own
 * rules would win over these and the browser would compute all styles again.
 */
const nowhere = typeof document === 'undefined' ? undefined : document.createElement('div');

/**
 * What every component of antd's needs around it. A page that uses antd has it around its content, and what opens over
 * any page brings it (antdOnDemand): the first loads without antd are 36 kB smaller.
 */
export function AntdTheme({ children }: { children: ReactNode }) {
  useEffect(() => {
    // antd's controls work without their look, and whatever opens next tries again.
    loadLaterStyles().catch(() => undefined);
  }, []);
  return (
    <StyleProvider container={nowhere}>
      <ConfigProvider theme={dayTheme}>{children}</ConfigProvider>
    </StyleProvider>
  );
}
