import type { HeldRow } from './useHeldRows';
import { AlertLine, type AlertLineProps } from './AlertLine';
import type { AlertActState } from './useAlertActs';

export interface RowContext extends Pick<AlertLineProps, 'user' | 'isLost' | 'onAct' | 'onDialog' | 'initialNow'> {
  stateOf: (alertId: number) => AlertActState | undefined;
}

interface AlertRowProps extends RowContext {
  row: HeldRow;
  /** 48 px instead of 72 px, also for the first alert. */
  isShort: boolean;
}

/** One patient, or one device: the alert that matters most, and every other one as a line of its own. */
export function AlertRow({ row, isShort, stateOf, ...shared }: AlertRowProps) {
  return (
    <li>
      {row.alerts.map(({ alert, isClosed, isOld, isAgain }, index) => (
        <AlertLine
          key={alert.id}
          {...shared}
          alert={alert}
          isClosed={isClosed}
          isOld={isOld}
          isAgain={isAgain}
          look={index > 0 ? 'further' : isShort ? 'short' : 'row'}
          state={stateOf(alert.id)}
        />
      ))}
    </li>
  );
}
