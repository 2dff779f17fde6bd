import { codeRow, kindsOf } from '../../lib/hl7/codes';
import type { SenderRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { codeKey, type BedMappings, type CodeMappings } from '../mappings/mappings';
import { kinds } from '../../lib/vitals/kinds';
import type { MrnAuthorities } from '../site/mrnAuthorities';
import { bedKey, bedOf } from '../patients/bedStays';
import { settingsOf } from './senderSettings';
import type { ValueWard } from './sortValues';
import { sourceOfRow } from './sources';

interface Parts {
  liveState: LiveState;
  beds: Pick<BedMappings, 'find'>;
  codes: Pick<CodeMappings, 'find'>;
  mrnAuthorities: Pick<MrnAuthorities, 'ofSite'>;
}

/** Returns what decides whose a value of a sender is, and what it is. */
export function valueWardOf(sender: SenderRow, { liveState, beds, codes, mrnAuthorities }: Parts): ValueWard {
  return {
    meaningOf: (code) => {
      const { alternate } = code;
      const known = codeRow(code);
      const mapping = known !== null && alternate === undefined ? null : codes.find(sender.id, codeKey(code));
      if (mapping === null) {
        // Written out: each value asks, and a spread takes longer than the lookup.
        return known === null ? null : { kind: known.kind, isUnitless: known.isUnitless, mappingId: null };
      }
      // Two people said what the first triplet means. The second one must not name another thing.
      return alternate !== undefined && kindsOf(alternate)?.includes(mapping.kind) === false
        ? null
        : { kind: mapping.kind, isUnitless: mapping.is_unitless === 1, mappingId: mapping.id };
    },
    isTrial: sender.is_trial === 1,
    mrnAuthorities: mrnAuthorities.ofSite(sender.site_id),
    settings: settingsOf(sender),
    sourcesOf: (patientId, kind) =>
      liveState.latestOfDevices(patientId, kinds[kind].code).flatMap(({ sample }) => {
        const { deviceId, takenAt, receivedAt } = sample;
        const device = liveState.devices.get(deviceId);
        const source = device?.sender_id === sender.id ? sourceOfRow(device) : null;
        return source === null ? [] : [{ source, takenAt, receivedAt }];
      }),
    byMrn: (mrn) => liveState.patientByNumber(mrn, sender.site_id),
    byId: (id) => liveState.patients.get(id) ?? null,
    bedOf: (senderBed) => {
      const mapping = beds.find(sender.id, senderBed);
      const key = mapping === null ? null : bedKey(mapping.unit_id, mapping.bed);
      return mapping === null || key === null ? null : { key, mappingId: mapping.id };
    },
    stays: liveState.bedStays,
    aheadMs: (mappingId) =>
      [...liveState.devices.values()].reduce(
        (most, { id, bed_mapping_id }) =>
          bed_mapping_id === mappingId ? Math.max(most, -(liveState.deviceClocks.get(id)?.offsetMs ?? 0)) : most,
        0,
      ),
    isElsewhere: (patient, bed, { takenAt, receivedAt }) =>
      bedOf(patient) !== null && !liveState.bedStays.wasIn(patient.id, bed, Math.min(takenAt, receivedAt)),
  };
}
