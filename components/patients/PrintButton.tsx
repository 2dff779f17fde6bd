import { Icon } from '../ui/Icon';
import bar from './PatientsViews.module.css';

/** Prints the page as it stands. */
export function PrintButton({ className = '' }: { className?: string }) {
  return (
    <button
      type="button"
      className={`${bar.act} ${className}`}
      onClick={() => {
        window.print();
      }}
    >
      <Icon name="print" />
      Print
    </button>
  );
}
