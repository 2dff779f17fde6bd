import type { ComponentType } from 'react';
import { loadLaterStyles } from './loadLaterStyles';
import { onDemand, type OpenedProps } from './onDemand';

/**
 * Does the same as `onDemand` for what antd draws: antd's theme and styles are fetched with its code, and it opens when
 * all have arrived.
 */
export function antdOnDemand<Props extends OpenedProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return onDemand(async () => {
    const [Opened, { AntdTheme }] = await Promise.all([load(), import('./AntdTheme'), loadLaterStyles()]);
    return function Themed(props: Props) {
      return (
        <AntdTheme>
          <Opened {...props} />
        </AntdTheme>
      );
    };
  });
}
