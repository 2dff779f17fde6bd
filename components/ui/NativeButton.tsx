import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';

interface NativeButtonProps {
  /** `primary` for the main action of a screen, `text` for a quiet one. */
  look?: 'default' | 'primary' | 'text';
  icon?: IconName;
  disabled?: boolean;
  /** Instead of `disabled` for a button that keeps the keyboard; `onClick` then has to do nothing. */
  'aria-disabled'?: boolean;
  onClick: () => void;
  children: ReactNode;
  /** If the text alone does not say what it is about. */
  'aria-label'?: string;
  'data-tour'?: string;
}

const looks = {
  default: 'ant-btn-default ant-btn-color-default ant-btn-variant-outlined',
  primary: 'ant-btn-primary ant-btn-color-primary ant-btn-variant-solid',
  text: 'ant-btn-text ant-btn-color-default ant-btn-variant-text',
} as const;

/**
 * The browser's own button in antd's classes, for pages whose first paint matters: antd's adds 25 kB for a wave
 * under a press.
 */
export function NativeButton({ look = 'default', icon, children, ...shared }: NativeButtonProps) {
  return (
    <button type="button" className={`ant-btn wardlight ${looks[look]}`} {...shared}>
      {icon === undefined ? null : (
        <span className="ant-btn-icon">
          <Icon name={icon} />
        </span>
      )}
      <span>{children}</span>
    </button>
  );
}
