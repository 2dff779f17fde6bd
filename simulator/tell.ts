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

/** Chosen once: every demo ward tells the same stories. */
const wardSeed = 2_026_0501;

/** Takes a role and returns whom its story is about, with noise of their own. */
export function subjectOf(role: Role): Subject {
  const { spo2, heartRate, rate, oxygenFlow } = role;
  return { seed: branch(wardSeed, role.number), spo2, heartRate, rate, oxygenFlow };
}

/**
 * What a gateway's devices measured at the given instants, in epoch milliseconds, whole seconds. `startedAt`, a whole
 * minute, is when the ward began: the stories count from there.
 */
export function tell(roles: readonly Role[], startedAt: EpochMs, instants: readonly number[]): WireSample[] {
  return roles.flatMap((role) => {
    const subject = subjectOf(role);
    return instants.flatMap((at) =>
      stories[role.story]
        .tell(subject, at - startedAt)
        .map((reading) => ({ mrn: role.patient.mrn, takenAt: toInstant(at), ...reading })),
    );
  });
}
