import { useEffect, useState } from 'react';
import { call } from '../lib/browser/client';
import type { Patient } from '../lib/patients/schema';

/** How long the typing has to pause before the search, in milliseconds. */
const pauseMs = 250;
const mostFound = 20;

/**
 * Finds patients by name or MRN, discharged ones too, when the typing pauses. Undefined while nothing was found for
 * this text yet, or if the search failed. What is typed is sent in a body and never in an address.
 */
export function usePatientSearch(text: string): readonly Patient[] | undefined {
  const [found, setFound] = useState<{ text: string; patients: readonly Patient[] } | null>(null);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === '') {
      return undefined;
    }
    let isOver = false;
    const timer = setTimeout(() => {
      const searches = (['active', 'discharged'] as const).map((state) =>
        call('searchPatients', { body: { text: wanted, state, pageSize: mostFound } }),
      );
      Promise.all(searches).then(
        (answers) => {
          if (!isOver) {
            setFound({ text: wanted, patients: answers.flatMap((each) => ('items' in each ? each.items : [])) });
          }
        },
        () => {
          if (!isOver) {
            setFound(null);
          }
        },
      );
    }, pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  return found?.text === wanted ? found.patients : undefined;
}
