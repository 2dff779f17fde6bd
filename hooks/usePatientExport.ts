import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExportKind } from '../lib/export/schema';
import { ApiFailure } from '../lib/browser/client';
import { downloadPatientFile, type DownloadedFile } from '../lib/browser/downloadPatientFile';

/** What is to be exported: the kinds in their order; without `from` and `to` the patient's last stay. */
export interface ExportAsked {
  kinds: readonly ExportKind[];
  from?: string;
  to?: string;
  /** The files of the same export that are saved already. */
  saved?: number;
  /** Those of them that have a head alone. */
  empty?: readonly ExportKind[];
}

export type ExportState =
  | { is: 'idle' }
  | { is: 'running'; kind: ExportKind; rows: number; ofAbout: number | null }
  /** The password was given too long ago. `rest` is what is left to do. */
  | { is: 'password_needed'; rest: ExportAsked }
  | { is: 'failed'; kind: ExportKind; failure: ApiFailure; rest: ExportAsked }
  | { is: 'cancelled' }
  /** `empty`: of these nothing was recorded in the period. */
  | { is: 'done'; files: number; empty: readonly ExportKind[] };

/** How long a browser may take to begin to save a file, in milliseconds. Then nothing of it is kept in the page. */
const savedWithinMs = 10_000;

/**
 * Exports a patient's data, a file after the other, each saved by the browser when it is whole. Nothing goes on after
 * the component is gone.
 */
export function usePatientExport(patientId: number): {
  state: ExportState;
  start: (asked: ExportAsked) => Promise<void>;
  cancel: () => void;
} {
  const [state, setState] = useState<ExportState>({ is: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );

  const start = useCallback(
    async ({ kinds, saved = 0, empty: emptyBefore = [], ...window }: ExportAsked): Promise<void> => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const empty = [...emptyBefore];
      for (const [place, kind] of kinds.entries()) {
        setState({ is: 'running', kind, rows: 0, ofAbout: null });
        try {
          const file = await downloadPatientFile(
            patientId,
            { kind, ...window },
            {
              signal,
              onRows: (rows, ofAbout) => {
                setState({ is: 'running', kind, rows, ofAbout });
              },
            },
          );
          if (signal.aborted) {
            return;
          }
          save(file);
          if (file.rows === 0) {
            empty.push(kind);
          }
        } catch (problem) {
          if (signal.aborted) {
            return;
          }
          if (!(problem instanceof ApiFailure)) {
            throw problem;
          }
          const rest = { kinds: kinds.slice(place), saved: saved + place, empty, ...window };
          setState(
            problem.code === 'password_needed'
              ? { is: 'password_needed', rest }
              : { is: 'failed', kind, failure: problem, rest },
          );
          return;
        }
      }
      setState({ is: 'done', files: saved + kinds.length, empty });
    },
    [patientId],
  );

  const cancel = useCallback(() => {
    running.current?.abort();
    setState({ is: 'cancelled' });
  }, []);
  return { state, start, cancel };
}

function save({ name, content }: DownloadedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, savedWithinMs);
}
