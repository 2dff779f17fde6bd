import type { Kysely } from 'kysely';
import { limitValues } from '../../lib/alerts/limitsSchema';
import type { Chart } from '../../lib/chart/schema';
import { readJson } from '../../lib/readJson';
import { toInstant } from '../../lib/time/schema';
import { readHistoryRows } from '../alerts/limits';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { readNews2Exemptions } from '../patients/news2Exemption';
import { readSpo2Target } from '../patients/spo2Target';

type Sections = Chart['sections'];

/** Resolves with the scale and target of SpO2: what physicians set, else the default, which no one has confirmed. */
export async function readSpo2Section(db: Kysely<Database>, patient: PatientRow): Promise<Sections['spo2']> {
  const { history, scale, low, high } = await readSpo2Target(db, patient);
  const byDefault = { value: { scale, low, high, isConfirmed: false }, author: null, at: null, reason: null };
  const set = history.map(({ setAt, setBy, reason, ...target }) => ({
    value: { ...target, isConfirmed: true },
    author: setBy,
    at: setAt,
    reason,
  }));
  return (set.length === 0 ? [byDefault] : set).map(({ value, author, at, reason }, place, all) => ({
    // Its rows are numbered here: the oldest is 1.
    id: all.length - place,
    section: 'spo2',
    value,
    source: null,
    effectiveAt: at,
    author,
    recordedAt: at,
    replaces: place === all.length - 1 ? null : all.length - place - 1,
    reason,
    status: place === 0 ? 'current' : 'superseded',
    mark: null,
  }));
}

/** Resolves with the marks "NEWS2 does not apply". */
export async function readNews2Section(db: Kysely<Database>, patient: PatientRow): Promise<Sections['news2']> {
  const { items } = await readNews2Exemptions(db, patient);
  return items.map(({ because, reason, setAt, setBy, endedAt, endedBy }, place) => ({
    id: items.length - place,
    section: 'news2',
    value: { because },
    source: null,
    effectiveAt: setAt,
    author: setBy,
    recordedAt: setAt,
    replaces: null,
    reason,
    status: endedAt === null ? 'current' : 'ended',
    mark: endedAt === null ? null : { by: endedBy, at: endedAt, reason: null },
  }));
}

/** Resolves with the alert limits of the patient's own. One without values went back to those of the site. */
export async function readLimitsSection(db: Kysely<Database>, patient: PatientRow): Promise<Sections['limits']> {
  const rows = await readHistoryRows(db, { siteId: patient.site_id, patientId: patient.id });
  const newest = new Map<string, number>();
  for (const { id, rule, scale } of rows) {
    const key = `${rule} ${scale}`;
    newest.set(key, newest.get(key) ?? id);
  }
  return rows.map((row) => {
    const at = toInstant(row.set_at);
    const author = { id: row.set_by, name: `${row.fname} ${row.lname}` };
    const values = readJson(limitValues, row.limit_values) ?? {};
    const isNewest = newest.get(`${row.rule} ${row.scale}`) === row.id;
    const isReset = Object.keys(values).length === 0;
    return {
      id: row.id,
      section: 'limits',
      value: {
        rule: row.rule,
        scale: row.scale,
        values,
        reviewAt: row.review_at === null ? null : toInstant(row.review_at),
      },
      source: null,
      effectiveAt: at,
      author,
      recordedAt: at,
      replaces: null,
      reason: row.reason,
      status: !isNewest ? 'superseded' : isReset ? 'ended' : 'current',
      mark: isNewest && isReset ? { by: author, at, reason: row.reason } : null,
    };
  });
}
