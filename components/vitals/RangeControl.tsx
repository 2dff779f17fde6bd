import { useId } from 'react';
import { chartRanges, type ChartRange } from '../../lib/vitals/chartRanges';
import styles from './RangeControl.module.css';

interface RangeControlProps {
  value: ChartRange;
  onChange: (range: ChartRange) => void;
}

/** Chooses how far back the charts reach. Native radio buttons, which the arrow keys move between by themselves. */
export function RangeControl({ value, onChange }: RangeControlProps) {
  const name = useId();
  return (
    <fieldset className={styles.ranges}>
      <legend className="visually-hidden">Time shown in the charts</legend>
      {chartRanges.map((range) => (
        <label key={range.key} className={styles.range}>
          <input
            type="radio"
            name={name}
            value={range.key}
            aria-label={range.name}
            checked={range.key === value.key}
            onChange={() => onChange(range)}
          />
          <span aria-hidden="true">{range.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
