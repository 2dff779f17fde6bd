import type { z } from 'zod';
import { rowEstimateHeader, type exportQuery } from '../export/schema';
import { ApiFailure, clientFailure } from './client';

/** A file as it came, whole. */
export interface DownloadedFile {
  name: string;
  content: Blob;
  /** How many rows it has below its head. */
  rows: number;
}

interface Following {
  signal: AbortSignal;
  /**
   * Called a few times a second: how many rows came so far, and about how many there are; null: that is not known.
   */
  onRows: (rows: number, ofAbout: number | null) => void;
}

/** A file of a year comes in thousands of parts, and the page has values to show meanwhile. In milliseconds. */
const tellEveryMs = 250;
const cr = 13;
const lf = 10;

/**
 * Downloads one file of a patient. Throws `ApiFailure`, also if the connection breaks midway: half a file is none. Not
 * by axios, which gives the body of a response only when all of it is there.
 */
export async function downloadPatientFile(
  patientId: number,
  query: z.input<typeof exportQuery>,
  { signal, onRows }: Following,
): Promise<DownloadedFile> {
  const address = `/api/v2/patients/${patientId}/export?${new URLSearchParams(query)}`;
  let response: Response;
  try {
    response = await fetch(address, { signal, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    throw clientFailure(signal.aborted ? 'aborted' : 'unreachable');
  }
  if (!response.ok || response.body === null) {
    throw await failureOf(response);
  }
  const estimate = response.headers.get(rowEstimateHeader);
  const ofAbout = estimate !== null && /^\d{1,12}$/.test(estimate) ? Number(estimate) : null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  // The first line is the head.
  let rows = -1;
  let last = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const byte of read.value) {
        rows += byte === lf && last === cr ? 1 : 0;
        last = byte;
      }
      parts.push(read.value);
      const at = performance.now();
      if (at - toldAt >= tellEveryMs) {
        toldAt = at;
        onRows(Math.max(0, rows), ofAbout);
      }
    }
  } catch {
    throw clientFailure(signal.aborted ? 'aborted' : 'no_response');
  }
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  return {
    name: name ?? `patient-${patientId}-${query.kind}.csv`,
    content: new Blob(parts, { type: 'text/csv' }),
    rows: Math.max(0, rows),
  };
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const { firstSchemas } = await import('../api/firstSchemas');
  const body: unknown = await response.json().catch(() => null);
  const parsed = firstSchemas.errorBody.safeParse(body);
  return parsed.success
    ? new ApiFailure(parsed.data.error.code, parsed.data.error.message, { status: response.status })
    : clientFailure('unreadable_response', response.status);
}
