import type { EpochMs } from '../lib/time/epochMs';
import { toInstant } from '../lib/time/schema';
import type { Role } from './cast';
import type { Reading, Subject } from './course';
import { branch } from './noise';
import { stories } from './stories';

/** One value as the ingest call takes it. */
export interface WireSample extends Reading {
  mrn: string;
  takenAt: string;
}

/** Chosen once: all demo wards have the same values. */
const wardSeed = 2_026_0501;

/** Returns the subject of a role's story, with their own noise. */
export function subjectOf(role: Role): Subject {
  const { spo2, heartRate, rate, oxygenFlow } = role;
  return { seed: branch(wardSeed, role.number), spo2, heartRate, rate, oxygenFlow };
}

/**
 * Returns what a gateway's devices measured at the given instants, which are whole seconds. `startedAt`, a whole
 * minute, is when the ward began: the stories count from there.
 */
export function measure(roles: readonly Role[], startedAt: EpochMs, instants: readonly EpochMs[]): WireSample[] {
  return roles.flatMap((role) => {
    const subject = subjectOf(role);
    return instants.flatMap((at) =>
      stories[role.story]
        .measure(subject, at - startedAt)
        .map((reading) => ({ mrn: role.patient.mrn, takenAt: toInstant(at), ...reading })),
    );
  });
}
