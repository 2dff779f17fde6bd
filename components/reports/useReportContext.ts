import { useRouter } from 'next/router';
import { useState } from 'react';
import { useSound, type ShownSound } from '../../hooks/SoundProvider';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import { readConnectionLog } from '../../lib/browser/connectionLog';
import { countShownValues } from '../../lib/browser/countShownValues';
import { routePattern } from '../../lib/monitoring/routePattern';
import { release } from '../../lib/release';
import type { NewReportContext } from '../../lib/reports/schema';
import { toInstant } from '../../lib/time/schema';

/** Returns the state of the page at the first call: no address of a patient, no value, nothing that anyone typed. */
export function useReportContext(errorReportId: string | null): NewReportContext {
  const { asPath } = useRouter();
  const sound = useSound();
  const [context] = useState<NewReportContext>(() => {
    const { connection, requestIds } = readConnectionLog();
    return {
      page: routePattern(asPath),
      release,
      ruleVersion,
      browser: navigator.userAgent.slice(0, 300),
      sound: soundState(sound),
      errorReportId,
      tiles: countShownValues(document),
      connection: connection.map(({ at, is }) => ({ at: toInstant(at), is })),
      requestIds: [...requestIds],
    };
  });
  return context;
}

function soundState({ isNeeded, isOn, pause }: ShownSound): NewReportContext['sound'] {
  if (!isNeeded) {
    return 'not_needed';
  }
  return pause !== null ? 'paused' : isOn ? 'on' : 'off';
}
