import { Icon } from './Icon';
import bar from './ViewBar.module.css';

/** Prints the page as it is shown. */
export function PrintButton({ className = '' }: { className?: string }) {
  return (
    <button type="button" className={`${bar.act} ${className}`} onClick={() => window.print()}>
      <Icon name="print" />
      Print
    </button>
  );
}
