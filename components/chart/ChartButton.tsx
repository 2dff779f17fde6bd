import { Button } from 'antd';
import { useState } from 'react';
import { useChartSummary } from '../../hooks/useChart';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import type { CareDrawerProps } from '../care/careDrawer';
import { onDemand } from '../ui/onDemand';
import { patientName } from '../ui/PatientName';

const ChartDrawer = onDemand<CareDrawerProps>(async () => (await import('./ChartDrawer')).ChartDrawer);

interface ChartButtonProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  /** Little room: several patients side by side. */
  isCompact: boolean;
  /** Called after something was changed. */
  onChanged: () => void;
}

/** Opens the patient's chart beside the page. */
export function ChartButton({ patient, user, now, isCompact, onChanged }: ChartButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const summary = useChartSummary(patient.id);
  return (
    <>
      <Button data-tour="patient-chart" onClick={() => setIsOpen(true)}>
        {isCompact ? <span className="visually-hidden">Patient chart</span> : 'Patient chart'}
        {isCompact ? <span aria-hidden="true">Chart</span> : null}
        <span className="visually-hidden"> of {patientName(patient)}</span>
      </Button>
      {isOpen ? (
        <ChartDrawer
          patient={patient}
          user={user}
          now={now}
          onChanged={() => {
            void summary.refresh();
            onChanged();
          }}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
