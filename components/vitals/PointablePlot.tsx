import dynamic from 'next/dynamic';
import { useState, type ReactNode } from 'react';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import type { PlotModel } from './plotModel';
import { Readout, type Pointed } from './Readout';
import styles from './VitalChart.module.css';

interface PointablePlotProps {
  model: PlotModel;
  summary: string;
  height: number;
  /** Called with the time over which the user dragged. */
  onSelect: (selected: ChartWindow) => void;
  onDoubleClick: () => void;
  /** Lies over the drawing. */
  children?: ReactNode;
}

const TimePlot = dynamic(() => import('./TimePlot').then((module) => module.TimePlot), {
  ssr: false,
  loading: () => <div className={styles.loading} />,
});

/** The drawing with the values under the pointer. Only this renders again as the pointer moves. */
export function PointablePlot({ model, summary, height, onSelect, onDoubleClick, children }: PointablePlotProps) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  return (
    <>
      <Readout model={model} pointed={pointed} />
      <div className={styles.plot} style={{ height }}>
        <TimePlot
          model={model}
          summary={summary}
          height={height}
          onPoint={setPointed}
          onSelect={onSelect}
          onDoubleClick={onDoubleClick}
        />
        {children}
      </div>
    </>
  );
}
